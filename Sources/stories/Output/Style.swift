/// A text style, named by its meaning.
enum Style: Sendable, Hashable {
  case plain
  /// A heading or subject.
  case strong
  /// Secondary information.
  case faint
  case added
  case removed
  /// Removed within a line: struck through, because it is next to its replacement.
  case struck
  case changed
  case good
  /// A match of a search.
  case match
  case warning
  case error

  /// The terminal's control sequence (ECMA-48, section 8.3.117, SGR), or `nil` for plain text.
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
    case .error, .match: "\u{1B}[1;31m"
    }
  }

  static let reset = "\u{1B}[0m"
}
