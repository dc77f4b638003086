/// How a stretch of text looks on a terminal, named after what it means.
enum Style: Sendable, Hashable {
  case plain
  /// A heading, or what a line is about.
  case strong
  /// Something that is only there for completeness.
  case faint
  /// What is new.
  case added
  /// What is gone.
  case removed
  /// What is gone within a line: struck through, for it stands beside what took its place.
  case struck
  /// What is another than before.
  case changed
  /// What went well.
  case good
  /// Worth a look.
  case warning
  /// What went wrong.
  case error

  /// The terminal's control sequence for it (ECMA-48, section 8.3.117, SGR); `nil` for plain text.
  var sequence: String? {
    switch self {
    case .plain: nil
    case .strong: "\u{1B}[1m"
    case .faint: "\u{1B}[2m"
    case .added, .good: "\u{1B}[32m"
    case .removed: "\u{1B}[31m"
    case .struck: "\u{1B}[9;31m"
    case .changed: "\u{1B}[36m"
    case .warning: "\u{1B}[33m"
    case .error: "\u{1B}[1;31m"
    }
  }

  /// Ends whatever style there is.
  static let reset = "\u{1B}[0m"
}
