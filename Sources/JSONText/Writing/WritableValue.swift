/// What a ``JSONWriter`` writes: a value that programs compute with, or one that stands in a text
/// and is written from there without being made into such a value.
protocol WritableValue {
  associatedtype Children: WritableChildren where Children.Value == Self

  /// What an array or object holds; `nil` for a scalar.
  var children: Children? { get }

  /// Appends a scalar.
  func appendScalar(to writer: inout JSONWriter)
}

/// The children of an array or object, each passed once.
protocol WritableChildren<Value> {
  associatedtype Value

  var isObject: Bool { get }
  var isEmpty: Bool { get }

  /// Goes on to the next child.
  mutating func next() -> Value?

  /// The name of the member that ``next()`` gave last.
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
    // What needs an escape has one already, and nothing else may have kept one.
    entry.withContent(in: text) { writer.writeString($0, mayNeedEscapes: entry.hasEscapes) }
  }
}

extension JSONView.Children: WritableChildren {
  var name: String { nameView.entry.string(in: nameView.text) }

  func appendName(to writer: inout JSONWriter) { nameView.appendScalar(to: &writer) }
}
