/// A message on a page: what went well or wrong, and what to do.
public struct Notice: Sendable, Hashable {
  /// The kind of a message.
  public enum Kind: String, Sendable, Hashable {
    /// Something was done.
    case good
    /// Something to know.
    case warning
    /// Something could not be done or read.
    case error
  }

  /// The kind.
  public var kind: Kind
  /// The file, record or field that it is about, or `nil`.
  public var subject: String?
  /// The message: one sentence, in which commands are between backquotes.
  public var message: String
  /// What to do.
  public var hints: [String]
  /// A text that somebody wrote and that was not saved.
  public var unsaved: String?

  /// Creates a message.
  public init(
    _ kind: Kind, _ message: String, about subject: String? = nil, hints: [String] = [],
    unsaved: String? = nil
  ) {
    self.kind = kind
    self.subject = subject
    self.message = message
    self.hints = hints
    self.unsaved = unsaved
  }

  /// The message.
  var markup: Markup {
    tag("div", ["class": "notice \(kind.rawValue)"]) {
      tag("p") {
        if kind == .error { tag("span", ["class": "unseen"]) { "Error: " } }
        if let subject { tag("strong") { "\(subject): " } }
        Self.sentence(message)
      }
      for hint in hints {
        tag("p", ["class": "soft"]) {
          "Hint: "
          Self.sentence(hint)
        }
      }
      if let unsaved { tag("pre", ["dir": "auto"]) { unsaved } }
    }
  }

  /// Returns a sentence in which `` `…` `` marks commands.
  static func sentence(_ text: String) -> Markup {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    guard parts.count % 2 == 1 else { return .text(text) }
    return .group(
      parts.enumerated().map { place, part in
        place % 2 == 0 ? .text(String(part)) : tag("code") { String(part) }
      })
  }
}
