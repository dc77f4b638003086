import JSONText

/// A member of a record: its owner, valid values and default.
struct RecordField: Sendable {
  let name: String
  let type: FieldType
  let presence: Presence
  /// The name that clients use.
  let sentName: String

  enum Presence: Sendable {
    /// Required in a create, and never null.
    case required
    /// May be null, which is also the default.
    case optional
    /// Has a default, also used for null.
    case defaults(to: FieldValue)
    /// Set only by the server, with an initial value.
    case server(initially: FieldValue)
    /// Set only by the server, and left out while null.
    case extra
  }

  /// The valid values. Lengths count Unicode scalars.
  enum FieldType: Sendable {
    case text(ClosedRange<Int>)
    case integer(ClosedRange<Int>)
    case flag
    case texts(count: ClosedRange<Int>, each: ClosedRange<Int>)
    /// An array of strings, stored as null, a string or an array, depending on its count.
    case phrases(count: ClosedRange<Int>, each: ClosedRange<Int>)
    case language
    case oneOf([String])
    case reference(RecordKind)
    /// Set by the server without validation.
    case any
  }

  /// Creates a field that clients can set, perhaps under another name.
  static func owned(
    _ name: String, _ type: FieldType, _ presence: Presence, sentAs sentName: String? = nil
  ) -> RecordField {
    RecordField(name: name, type: type, presence: presence, sentName: sentName ?? name)
  }

  /// Creates a field that clients can set, with a default.
  static func owned(
    _ name: String, _ type: FieldType, default value: JSONValue
  ) -> RecordField {
    owned(name, type, .defaults(to: FieldValue(value)))
  }

  static func server(_ name: String, _ initially: JSONValue) -> RecordField {
    owned(name, .any, .server(initially: FieldValue(initially)))
  }

  static func extra(_ name: String) -> RecordField { owned(name, .any, .extra) }

  var isOwned: Bool {
    switch presence {
    case .server, .extra: false
    case .required, .optional, .defaults: true
    }
  }

  var isExtra: Bool {
    if case .extra = presence { true } else { false }
  }

  /// Validates a value sent by a client and returns it in its stored form.
  ///
  /// - Throws: `Refusal` with the requirement that the value violates.
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
      // A text is never longer than its JSON, so most need no decoding to be checked.
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
      return FieldValue(.number(number))
    case .flag:
      guard let flag = node.value.bool else { throw Refusal(message: "must be true or false") }
      return FieldValue(.bool(flag))
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
      // The outline of a language tag (RFC 5646): a subtag of letters, then subtags of letters and
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
    case .any: return FieldValue(node.value)
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
    return try elements.map { (element) throws(Refusal) in
      guard let text = element.string else { throw Refusal(message: "must be an array of strings") }
      try check(text, length: each)
      return .string(text)
    }
  }

  private func check(_ text: String, length: ClosedRange<Int>) throws(Refusal) {
    if length.lowerBound > 0, text.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
      throw Refusal(message: "must not be empty")
    }
    guard text.unicodeScalars.count <= length.upperBound else {
      throw Refusal(message: "must have at most \(length.upperBound) characters")
    }
  }

  /// The reason why a value is invalid, worded to follow the field's name.
  struct Refusal: Error, Equatable {
    var message: String
  }
}
