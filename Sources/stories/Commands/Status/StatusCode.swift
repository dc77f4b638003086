import StoryLibrary
import StorySync

/// The two letters in front of a record: how it stands here and on the server.
///
/// `A` new, `a` a draft, `M` edited, `D` deleted, `R` renamed, `U` conflict, `!` unreadable or missing,
/// `.` unchanged. Without asking a server, its side says what the sidecar knows of it.
struct StatusCode: Sendable, Hashable, CustomStringConvertible {
  /// How the record stands here.
  var here: Character
  /// How it stands on the server, as far as that is known.
  var there: Character = "."

  /// The code of a record.
  ///
  /// - Parameter remote: how the server's record changed, if the server was asked and it did.
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

  /// How the letters look.
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
