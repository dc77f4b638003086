import StoryLibrary

/// The two letters in front of a record: how it stands here and on the server.
///
/// `A` new, `M` edited, `D` deleted, `R` renamed, `U` conflict, `!` unreadable, `.` unchanged, `?`
/// asked for but not told. Without asking a server, its side says what the sidecar knows of it.
struct StatusCode: Sendable, Hashable, CustomStringConvertible {
  /// How the record stands here.
  var here: Character
  /// How it stands on the server, as far as that is known.
  var there: Character = "."

  init(_ entry: ScanEntry) {
    switch entry.state {
    case .unreadable, .duplicateId: here = "!"
    case .conflict:
      switch entry.conflict {
      case .deletedOnServer: (here, there) = ("U", "D")
      case .deletedHere: (here, there) = ("D", "U")
      case .fields, nil: (here, there) = ("U", "U")
      }
    case .pendingCreate: here = "A"
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
    default: .faint
    }
  }
}
