/// A part of a page: an element, text, or several of them.
///
/// There is no way to put markup into text: names are literals of this module, and everything else
/// is escaped when it is written (see ``MarkupWriter``).
public indirect enum Markup: Sendable {
  /// Text, written as it is, whatever characters it has.
  case text(String)
  /// An element with its attributes and content.
  case element(StaticString, Attributes, Markup)
  /// Several parts in order.
  case group([Markup])

  /// Whether there is neither text nor an element.
  var isEmpty: Bool {
    if case .group(let parts) = self { parts.allSatisfy(\.isEmpty) } else { false }
  }
}

/// The attributes of an element in order; those without a value are not written.
public struct Attributes: Sendable, ExpressibleByDictionaryLiteral {
  let list: [(name: StaticString, value: String)]

  private init(list: [(name: StaticString, value: String)]) { self.list = list }

  /// Creates attributes from a literal such as `["href": address, "lang": nil]`.
  public init(dictionaryLiteral elements: (StaticString, String?)...) {
    list = elements.compactMap { name, value in value.map { (name, $0) } }
  }

  /// Returns the attributes of both, those on the right last.
  public static func + (left: Attributes, right: Attributes) -> Attributes {
    Attributes(list: left.list + right.list)
  }
}

/// Returns an element.
func tag(
  _ name: StaticString, _ attributes: Attributes = [:],
  @MarkupBuilder _ content: () -> Markup = { .group([]) }
) -> Markup {
  .element(name, attributes, content())
}

/// Returns an element with text of a record, in the record's language.
///
/// The text's first letter decides its direction (`dir="auto"`), which also isolates it: no control
/// character in it changes the direction of what follows.
func record(
  _ name: StaticString, _ attributes: Attributes, _ text: String, language: String? = nil
) -> Markup {
  .element(name, attributes + ["lang": language, "dir": "auto"], .text(text))
}

/// Makes a part of a page from statements: texts and parts in order, with `if`, `switch` and `for`.
@resultBuilder enum MarkupBuilder {
  static func buildExpression(_ part: Markup) -> Markup { part }
  static func buildExpression(_ text: String) -> Markup { .text(text) }
  static func buildBlock(_ parts: Markup...) -> Markup { .group(parts) }
  static func buildOptional(_ part: Markup?) -> Markup { part ?? .group([]) }
  static func buildEither(first part: Markup) -> Markup { part }
  static func buildEither(second part: Markup) -> Markup { part }
  static func buildArray(_ parts: [Markup]) -> Markup { .group(parts) }
}
