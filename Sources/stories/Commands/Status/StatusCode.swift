import StoryLibrary
import StorySync

/// The two letters before a record: its local state and its state on the server.
///
/// `A` new, `a` draft, `M` edited, `D` deleted, `R` renamed, `U` conflict, `!` unreadable or
/// missing, `.` unchanged. If the server is not asked, its letter is from the sidecar.
struct StatusCode: Sendable, Hashable, CustomStringConvertible {
  var local: Character
  /// The record's state on the server, as far as known.
  var server: Character = "."

  /// Creates the code of a record.
  ///
  /// - Parameter remote: the change on the server, if the server was asked and it has one.
  init(_ entry: ScanEntry, remote: SyncReport.RemoteChange? = nil) {
    switch entry.state {
    case .unreadable, .duplicateId, .missing: local = "!"
    case .conflict:
      switch entry.conflict {
      case .deletedOnServer: (local, server) = ("U", "D")
      case .deletedLocally: (local, server) = ("D", "U")
      case .fields, nil: (local, server) = ("U", "U")
      }
    case .pendingCreate: local = "A"
    case .draft: local = "a"
    case .pendingDelete: local = "D"
    case .pendingUpdate: local = entry.formerName == nil ? "M" : "R"
    case .synced: local = entry.formerName == nil ? "." : "R"
    case .notCheckedOut: local = "."
    }
    switch remote {
    case .created: server = "A"
    case .changed: server = "M"
    case .deleted: server = "D"
    case nil: break
    }
  }

  var description: String { "\(local)\(server)" }

  var style: Style {
    switch local {
    case "A": .added
    case "D": server == "U" ? .error : .removed
    case "M", "R": .changed
    case "U", "!": .error
    default: server == "." ? .faint : .changed
    }
  }
}
