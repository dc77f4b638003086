import StoryLibrary
import StorySync

/// The two letters before a record: its local state and its state on the server.
///
/// `A` new, `a` draft, `M` edited, `D` deleted, `R` renamed, `U` conflict, `!` unreadable or
/// missing, `.` unchanged. If the server is not asked, its letter is from the sidecar.
struct StatusCode: Sendable, Hashable, CustomStringConvertible {
  /// The record's local state.
  var here: Character
  /// The record's state on the server, as far as known.
  var there: Character = "."

  /// Creates the code of a record.
  ///
  /// - Parameter remote: the change on the server, if the server was asked and there is one.
  init(_ entry: ScanEntry, remote: SyncReport.RemoteChange?) {
    self.init(entry)
    switch remote {
    case .created: there = "A"
    case .changed: there = "M"
    case .deleted: there = "D"
    case nil: break
    }
  }

  init(_ entry: ScanEntry) {
    switch entry.state {
    case .unreadable, .duplicateId, .missing: here = "!"
    case .conflict:
      switch entry.conflict {
      case .deletedOnServer: (here, there) = ("U", "D")
      case .deletedHere: (here, there) = ("D", "U")
      case .fields, nil: (here, there) = ("U", "U")
      }
    case .pendingCreate: here = "A"
    case .draft: here = "a"
    case .pendingDelete: here = "D"
    case .pendingUpdate: here = entry.formerName == nil ? "M" : "R"
    case .synced: here = entry.formerName == nil ? "." : "R"
    case .notCheckedOut: here = "."
    }
  }

  var description: String { "\(here)\(there)" }

  var style: Style {
    switch here {
    case "A": .added
    case "D": there == "U" ? .error : .removed
    case "M", "R": .changed
    case "U", "!": .error
    default: there == "." ? .faint : .changed
    }
  }
}
