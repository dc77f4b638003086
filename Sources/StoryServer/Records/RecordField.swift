import JSONText

/// A member of a record: who owns it, what it may hold, what a create without it gets.
struct RecordField: Sendable {
  /// The name in the stored record.
  let name: String
  let type: FieldType
  let presence: Presence
  /// The name that clients give it, where that is another one.
  let sentName: String
  /// The name as it stands in a record: comma, quotes and colon included.
  let label: [UInt8]

  init(
    _ name: String, _ type: FieldType, _ presence: Presence, sentAs sentName: String? = nil
  ) {
    self.name = name
    self.sentName = sentName ?? name
    self.type = type
    self.presence = presence
    label = RecordWriter.label(name)
  }

  enum Presence: Sendable {
    /// A create must have it, and it is never null.
    case required
    /// It may be null; so it is where a create leaves it out.
    case optional
    /// A create without it, or a null, gets this.
    case defaults(to: FieldValue)
    /// Only the server sets it; this is what a new record has.
    case server(initially: FieldValue)
    /// Only the server sets it; it is there only while it says something.
    case extra
  }

  /// What a value may be. Lengths count Unicode scalars.
  enum FieldType: Sendable {
    case text(ClosedRange<Int>)
    case integer(ClosedRange<Int>)
    case flag
    case texts(count: ClosedRange<Int>, each: ClosedRange<Int>)
    /// An array of strings that is kept as null, as a string or as an array, by how many there are.
    case phrases(count: ClosedRange<Int>, each: ClosedRange<Int>)
    case language
    case oneOf([String])
    case reference(RecordKind)
    /// Set by the server, which checks nothing.
    case any
  }

  /// A member that a client may set.
  static func owned(_ name: String, _ type: FieldType, _ presence: Presence) -> RecordField {
    RecordField(name, type, presence)
  }

  /// A member that a client may set, with what a create without it gets.
  static func owned(
    _ name: String, _ type: FieldType, default value: JSONValue
  ) -> RecordField {
    RecordField(name, type, .defaults(to: FieldValue(value)))
  }

  /// A member that only the server sets.
  static func server(_ name: String, _ initially: JSONValue) -> RecordField {
    RecordField(name, .any, .server(initially: FieldValue(initially)))
  }

  /// A member that only the server sets, and that a record has only while it says something.
  static func extra(_ name: String) -> RecordField { RecordField(name, .any, .extra) }

  /// Whether a client may set it.
  var isOwned: Bool {
    switch presence {
    case .server, .extra: false
    case .required, .optional, .defaults: true
    }
  }

  /// Whether it is left out while it says nothing.
  var isExtra: Bool {
    if case .extra = presence { true } else { false }
  }

  /// The value that a client sent, in the form in which it is kept.
  ///
  /// - Throws: `Refusal` with what the field must be.
  func value(of node: JSONNode) throws(Refusal) -> FieldValue {
    if node.kind == .null {
      switch presence {
      case .optional: return .null
      case .defaults(let value): return value
      case .required, .server, .extra: throw Refusal(message: "must not be null")
      }
    }
    switch type {
    case .text(let length):
      guard node.kind == .string else { throw Refusal(message: "must be a string") }
      // No text is longer than its JSON: most need not be decoded to be short enough.
      if length.lowerBound > 0 || node.range.count - 2 > length.upperBound {
        try check(node.string ?? "", length: length)
      }
      return FieldValue(string: node)
    case .integer(let range):
      guard let number = node.number, number.isWhole else {
        throw Refusal(message: "must be a whole number")
      }
      guard let number = number.integer, range.contains(number) else {
        throw Refusal(message: "must be from \(range.lowerBound) to \(range.upperBound)")
      }
      return FieldValue(.number(JSONNumber(number)))
    case .flag:
      switch node.kind {
      case .true: return FieldValue(true)
      case .false: return FieldValue(false)
      default: throw Refusal(message: "must be true or false")
      }
    case .texts(let count, let each):
      return FieldValue(.array(try texts(node, count, each)))
    case .phrases(let count, let each):
      let values = try texts(node, count, each)
      return FieldValue(
        values.isEmpty ? JSONValue.null : values.count == 1 ? values[0] : .array(values))
    case .oneOf(let words):
      guard let text = node.string, words.contains(text) else {
        throw Refusal(message: "must be one of \(words.joined(separator: ", "))")
      }
      return FieldValue(string: node)
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
      return FieldValue(string: node)
    case .reference:
      guard let text = node.string, (1...200).contains(text.utf8.count) else {
        throw Refusal(message: "must be an id")
      }
      return FieldValue(string: node)
    case .any: return FieldValue(node)
    }
  }

  private func texts(
    _ node: JSONNode, _ count: ClosedRange<Int>, _ each: ClosedRange<Int>
  ) throws(Refusal) -> [JSONValue] {
    guard node.kind == .array else { throw Refusal(message: "must be an array of strings") }
    let elements = node.elements
    guard count.contains(elements.count) else {
      throw Refusal(message: "must have \(count.lowerBound) to \(count.upperBound) elements")
    }
    var values: [JSONValue] = []
    for element in elements {
      guard let text = element.string else { throw Refusal(message: "must be an array of strings") }
      try check(text, length: each)
      values.append(.string(text))
    }
    return values
  }

  private func check(_ text: String, length: ClosedRange<Int>) throws(Refusal) {
    if length.lowerBound > 0, text.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
      throw Refusal(message: "must not be empty")
    }
    guard text.unicodeScalars.count <= length.upperBound else {
      throw Refusal(message: "must have at most \(length.upperBound) characters")
    }
  }

  /// Why a value is not taken, to be read after the field's name.
  struct Refusal: Error, Equatable {
    var message: String
  }
}
