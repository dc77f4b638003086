import JSONText

/// A member of a record: who owns it, what it may hold, what a create without it gets.
struct RecordField: Sendable {
  /// The name on the wire.
  var name: String
  var type: FieldType
  var presence: Presence

  enum Presence: Sendable {
    /// A create must have it, and it is never null.
    case required
    /// It may be null; so it is where a create leaves it out.
    case optional
    /// A create without it, or a null, gets this.
    case defaults(to: JSONValue)
    /// Only the server sets it; this is what a new record has.
    case server(initially: JSONValue)
  }

  /// What a value may be. Lengths count Unicode scalars.
  enum FieldType: Sendable {
    case text(ClosedRange<Int>)
    case integer(ClosedRange<Int>)
    case flag
    case texts(count: ClosedRange<Int>, each: ClosedRange<Int>)
    case language
    case reference(RecordKind)
    /// Set by the server, which checks nothing.
    case any
  }

  static func owned(_ name: String, _ type: FieldType, _ presence: Presence) -> RecordField {
    RecordField(name: name, type: type, presence: presence)
  }

  static func server(_ name: String, _ initially: JSONValue) -> RecordField {
    RecordField(name: name, type: .any, presence: .server(initially: initially))
  }

  /// Whether a client may set it.
  var isOwned: Bool {
    if case .server = presence { false } else { true }
  }

  /// The value that a client sent, in the form in which it is kept.
  ///
  /// - Throws: `Refusal` with what the field must be.
  func value(of node: JSONNode) throws(Refusal) -> JSONValue {
    if node.kind == .null {
      switch presence {
      case .optional: return .null
      case .defaults(let value): return value
      case .required, .server: throw Refusal(message: "must not be null")
      }
    }
    switch type {
    case .text(let length):
      guard let text = node.string else { throw Refusal(message: "must be a string") }
      try check(text, length: length)
      return .string(text)
    case .integer(let range):
      guard let number = node.number?.integer else {
        throw Refusal(message: "must be a whole number")
      }
      guard range.contains(number) else {
        throw Refusal(message: "must be from \(range.lowerBound) to \(range.upperBound)")
      }
      return .number(JSONNumber(number))
    case .flag:
      switch node.kind {
      case .true: return true
      case .false: return false
      default: throw Refusal(message: "must be true or false")
      }
    case .texts(let count, let each):
      guard node.kind == .array else { throw Refusal(message: "must be an array of strings") }
      let elements = node.elements
      guard count.contains(elements.count) else {
        throw Refusal(message: "must have \(count.lowerBound) to \(count.upperBound) elements")
      }
      var values: [JSONValue] = []
      for element in elements {
        guard let text = element.string else {
          throw Refusal(message: "must be an array of strings")
        }
        try check(text, length: each)
        values.append(.string(text))
      }
      return .array(values)
    case .language:
      guard let text = node.string else { throw Refusal(message: "must be a string") }
      // The outline of a language tag (RFC 5646): a word of letters, then words of letters and
      // digits.
      let words = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      let isTag = words.enumerated().allSatisfy { place, word in
        (place == 0 ? 2...3 : 1...8).contains(word.count)
          && word.allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (place > 0 && (0x30...0x39).contains(byte))
          }
      }
      guard isTag, words.count < 6 else {
        throw Refusal(message: "must be a language tag such as en or pt-BR")
      }
      return .string(text)
    case .reference:
      guard let text = node.string, (1...200).contains(text.utf8.count) else {
        throw Refusal(message: "must be an id")
      }
      return .string(text)
    case .any: return node.value
    }
  }

  private func check(_ text: String, length: ClosedRange<Int>) throws(Refusal) {
    let count = text.unicodeScalars.count
    if length.lowerBound > 0, text.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
      throw Refusal(message: "must not be empty")
    }
    guard length.contains(count) else {
      throw Refusal(message: "must have at most \(length.upperBound) characters")
    }
  }

  /// Why a value is not taken, to be read after the field's name.
  struct Refusal: Error, Equatable {
    var message: String
  }
}
