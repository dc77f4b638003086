/// A value that a ``JSONWriter`` can write: a ``JSONValue``, or a value in a text, which is written
/// without being extracted.
protocol WritableValue {
  associatedtype Children: WritableChildren where Children.Value == Self

  /// The children of an array or object, or `nil` for a scalar.
  var children: Children? { get }

  /// Appends a scalar.
  func appendScalar(to writer: inout JSONWriter)
}

/// An iterator over the children of an array or object.
protocol WritableChildren<Value> {
  associatedtype Value

  var isObject: Bool { get }
  var isEmpty: Bool { get }

  mutating func next() -> Value?

  /// The name of the member that ``next()`` returned last.
  var name: String { get }

  /// Appends ``name`` as a string.
  func appendName(to writer: inout JSONWriter)
}

extension JSONValue: WritableValue {
  var children: Children? {
    switch self {
    case .array(let elements): Children(isObject: false, elements: elements)
    case .object(let object): Children(isObject: true, members: object.members)
    default: nil
    }
  }

  func appendScalar(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.append("null".utf8)
    case .bool(let bool): writer.append((bool ? "true" : "false").utf8)
    case .number(let number): writer.append(number.literal.utf8)
    case .string(let string): writer.writeString(string)
    case .array, .object: break
    }
  }

  struct Children: WritableChildren {
    let isObject: Bool
    var elements: [JSONValue] = []
    var members: [JSONObject.Member] = []
    private var place = 0

    init(isObject: Bool, elements: [JSONValue] = [], members: [JSONObject.Member] = []) {
      self.isObject = isObject
      self.elements = elements
      self.members = members
    }

    var isEmpty: Bool { isObject ? members.isEmpty : elements.isEmpty }

    @inline(__always)
    mutating func next() -> JSONValue? {
      guard place < (isObject ? members.count : elements.count) else { return nil }
      place += 1
      return isObject ? members[place - 1].value : elements[place - 1]
    }

    var name: String { members[place - 1].key }

    func appendName(to writer: inout JSONWriter) { writer.writeString(name) }
  }
}

extension JSONView: WritableValue {
  var children: Children? {
    kind == .array || kind == .object ? Children(of: self) : nil
  }

  func appendScalar(to writer: inout JSONWriter) {
    guard kind == .string else { return writer.append(bytes) }
    // A string without escapes in the text has no character that needs one.
    entry.withContent(in: text) { writer.writeString($0, mayNeedEscapes: entry.hasEscapes) }
  }
}

extension JSONView.Children: WritableChildren {
  var name: String { nameView.entry.string(in: nameView.text) }

  func appendName(to writer: inout JSONWriter) { nameView.appendScalar(to: &writer) }
}
