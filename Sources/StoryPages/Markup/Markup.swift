/// A part of a page: an element, text, or several of them.
///
/// There is no way to put markup into text: names are literals of this module, and everything else
/// is escaped when it is written (see ``MarkupWriter``).
public indirect enum Markup: Sendable {
  /// Text, written as it is, whatever characters it has.
  case text(String)
  /// An element with its attributes and content.
  case element(StaticString, Attributes, [Markup])
  /// Several parts in order.
  case group([Markup])

  /// Creates an element.
  public static func tag(
    _ name: StaticString, _ attributes: Attributes = [:], _ content: [Markup] = []
  ) -> Markup {
    .element(name, attributes, content)
  }

  /// Creates an element with text of a record, in the record's language.
  ///
  /// The text's first letter decides its direction (`dir="auto"`), which also isolates it: no control
  /// character in it changes the direction of what follows.
  public static func record(
    _ name: StaticString, _ attributes: Attributes = [:], _ text: String, language: String? = nil
  ) -> Markup {
    .element(name, attributes + ["lang": language, "dir": "auto"], [.text(text)])
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

extension Markup: ExpressibleByStringInterpolation {
  /// Creates text.
  public init(stringLiteral value: String) { self = .text(value) }
}

extension Markup: ExpressibleByArrayLiteral {
  /// Creates a group.
  public init(arrayLiteral elements: Markup...) { self = .group(elements) }
}
