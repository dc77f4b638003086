/// One value inside a ``JSONDocument``, with its place in the text.
///
/// A node is a view: it costs no copy of the text, and its strings are decoded when asked for.
public struct JSONNode: Sendable {
  /// The document that this node is part of.
  public let document: JSONDocument
  let index: Int

  /// What a node holds.
  public enum Kind: UInt8, Sendable {
    /// `null`.
    case null
    /// `true`.
    case `true`
    /// `false`.
    case `false`
    /// A number.
    case number
    /// A string.
    case string
    /// An array.
    case array
    /// An object.
    case object
  }

  /// One entry of the parser's flat list: a value's bytes and where the next value starts.
  struct Entry: Sendable {
    /// The offset of the first byte.
    var start: UInt32
    /// The offset behind the last byte.
    var end: UInt32
    /// The index of the entry behind this value and all that it contains.
    var next: UInt32
    var kind: Kind
    /// Whether a string contains a backslash.
    var hasEscapes: Bool
  }

  private var entry: Entry { document.entries[index] }

  /// What this node holds.
  public var kind: Kind { entry.kind }

  /// The bytes of this value in the document's text, quotes and brackets included.
  public var range: Range<Int> { Int(entry.start)..<Int(entry.end) }

  /// Where this value starts, as an editor shows it.
  public var position: TextPosition { document.position(at: Int(entry.start)) }

  /// The string, escapes resolved; `nil` for another kind.
  public var string: String? {
    let entry = entry
    guard entry.kind == .string else { return nil }
    return document.string(entry)
  }

  /// The number; `nil` for another kind.
  public var number: JSONNumber? {
    guard entry.kind == .number else { return nil }
    return JSONNumber(unchecked: String(decoding: document.bytes[range], as: UTF8.self))
  }

  /// One member of an object: the node of its name and the node of its value.
  public struct Member: Sendable {
    /// The name, a string node.
    public let key: JSONNode
    /// The value.
    public let value: JSONNode

    /// The name, escapes resolved.
    public var name: String { key.string ?? "" }
  }

  /// The members of an object in the text's order; none for another kind.
  public var members: [Member] {
    guard kind == .object else { return [] }
    var result: [Member] = []
    var child = index + 1
    while child < entry.next {
      let value = child + 1
      result.append(
        Member(
          key: JSONNode(document: document, index: child),
          value: JSONNode(document: document, index: value)))
      child = Int(document.entries[value].next)
    }
    return result
  }

  /// The elements of an array in order; none for another kind.
  public var elements: [JSONNode] {
    guard kind == .array else { return [] }
    var result: [JSONNode] = []
    var child = index + 1
    while child < entry.next {
      result.append(JSONNode(document: document, index: child))
      child = Int(document.entries[child].next)
    }
    return result
  }

  /// The value of an object's member; `nil` where this is no object or has no such member.
  public subscript(key: String) -> JSONNode? { member(key)?.value }

  /// An object's member by name; `nil` where this is no object or has no such member.
  public func member(_ name: String) -> Member? {
    guard kind == .object else { return nil }
    var child = index + 1
    while child < entry.next {
      let value = child + 1
      if document.string(document.entries[child], equals: name) {
        return Member(
          key: JSONNode(document: document, index: child),
          value: JSONNode(document: document, index: value))
      }
      child = Int(document.entries[value].next)
    }
    return nil
  }

  /// The value without its layout.
  ///
  /// Recursion is bounded by the parser's depth limit.
  public var value: JSONValue {
    switch kind {
    case .null: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .number: return .number(number ?? JSONNumber(0))
    case .string: return .string(string ?? "")
    case .array: return .array(elements.map(\.value))
    case .object:
      return .object(
        JSONObject(unchecked: members.map { .init(key: $0.name, value: $0.value.value) }))
    }
  }
}
