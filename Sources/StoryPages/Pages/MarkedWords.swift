/// Text with marks on what one version has and another does not.
public struct MarkedWords: Sendable, Hashable {
  /// The mark of a part.
  public enum Mark: Sendable, Hashable {
    /// Both versions have it.
    case same
    /// Only the old version has it.
    case removed
    /// Only the new version has it.
    case added
    /// It is said about the text, and not part of it.
    case aside
  }

  /// A part with one mark.
  public struct Part: Sendable, Hashable {
    /// The mark.
    public var mark: Mark
    /// The text.
    public var text: String

    /// Creates a part.
    public init(_ text: String, _ mark: Mark) {
      self.mark = mark
      self.text = text
    }
  }

  /// The parts in order.
  public var parts: [Part]

  /// Creates text from its parts.
  public init(_ parts: [Part]) { self.parts = parts }

  /// Creates text with one mark.
  public init(_ text: String, _ mark: Mark = .same) { self.init([Part(text, mark)]) }

  /// The text with its marks, also for those who hear it.
  var markup: Markup {
    .group(
      parts.map { part in
        switch part.mark {
        case .same: .text(part.text)
        case .removed: tag("del") { Self.heard("[removed: ", part.text) }
        case .added: tag("ins") { Self.heard("[added: ", part.text) }
        case .aside: tag("span", ["class": "soft"]) { part.text }
        }
      })
  }

  @MarkupBuilder
  private static func heard(_ mark: String, _ text: String) -> Markup {
    tag("span", ["class": "unseen"]) { mark }
    text
    tag("span", ["class": "unseen"]) { "]" }
  }
}
