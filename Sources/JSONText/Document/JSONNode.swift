/// A value in a ``JSONDocument``, with its position in the text.
///
/// A node is a view: it copies none of the text, and decodes strings on demand.
public struct JSONNode: Sendable {
  /// The document that contains this node.
  public let document: JSONDocument
  let index: Int

  /// The type of a value.
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

  /// An entry of the parser's flat list: the range of a value and the index of the next one.
  ///
  /// A container's entry is followed by those of its contents. In an object, each value's entry
  /// follows that of its name.
  struct Entry: Sendable {
    var start: UInt32
    /// The offset after the last byte.
    var end: UInt32
    /// The index of the first entry after this value and its contents.
    var next: UInt32
    var kind: Kind
    var hasEscapes: Bool

    /// The bytes between the quotes of a string.
    var content: Range<Int> { Int(start) + 1..<Int(end) - 1 }
  }

  private var entry: Entry { document.storage.entries[index] }

  /// The type of the value.
  public var kind: Kind { entry.kind }

  /// The range of this value in the document's text, including quotes and brackets.
  public var range: Range<Int> {
    let entry = entry
    return Int(entry.start)..<Int(entry.end)
  }

  /// The line and column of this value; see ``JSONDocument/position(at:)``.
  public var position: TextPosition { document.position(at: Int(entry.start)) }

  /// The unescaped string, or `nil` for another type.
  public var string: String? {
    let entry = entry
    guard entry.kind == .string else { return nil }
    return document.storage.bytes.withUnsafeBufferPointer { entry.string(in: $0) }
  }

  /// The number, or `nil` for another type.
  public var number: JSONNumber? {
    guard entry.kind == .number else { return nil }
    return JSONNumber(unchecked: String(decoding: document.storage.bytes[range], as: UTF8.self))
  }

  /// A member of an object: the nodes of its name and its value.
  public struct Member: Sendable {
    /// The name, which is a string.
    public let key: JSONNode
    /// The value.
    public let value: JSONNode

    /// The unescaped name.
    public var name: String { key.string ?? "" }

    /// The range of the member in the document's text, from the name's quote to the value's end.
    public var range: Range<Int> { key.range.lowerBound..<value.range.upperBound }
  }

  /// The members of an object in text order, or an empty array for another type.
  public var members: [Member] {
    guard kind == .object else { return [] }
    var result: [Member] = []
    result.reserveCapacity(childCount)
    forEachChild { child in
      result.append(
        Member(
          key: JSONNode(document: document, index: child),
          value: JSONNode(document: document, index: child + 1)))
      return true
    }
    return result
  }

  /// The elements of an array in order, or an empty array for another type.
  public var elements: [JSONNode] {
    guard kind == .array else { return [] }
    var result: [JSONNode] = []
    result.reserveCapacity(childCount)
    forEachChild { child in
      result.append(JSONNode(document: document, index: child))
      return true
    }
    return result
  }

  /// Whether this is an array or object that is not empty.
  var isFilled: Bool { Int(entry.next) > index + 1 }

  /// The value of a member, or `nil` if this is not an object or has no such member.
  public subscript(key: String) -> JSONNode? { member(key)?.value }

  /// Returns an object's member by name, compared by Unicode scalars, or `nil`.
  public func member(_ name: String) -> Member? {
    guard kind == .object else { return nil }
    var name = name
    var found: Int?
    let storage = document.storage
    name.withUTF8 { name in
      storage.bytes.withUnsafeBufferPointer { text in
        forEachChild { child in
          if storage.entries[child].holdsString(name, in: text) { found = child }
          return found == nil
        }
      }
    }
    return found.map {
      Member(
        key: JSONNode(document: document, index: $0),
        value: JSONNode(document: document, index: $0 + 1))
    }
  }

  private var childCount: Int {
    var count = 0
    forEachChild { _ in
      count += 1
      return true
    }
    return count
  }

  /// Calls `body` with the entry index of each element or member name until it returns `false`.
  private func forEachChild(_ body: (Int) -> Bool) {
    let entries = document.storage.entries
    let end = Int(entries[index].next)
    let nameEntries = entries[index].kind == .object ? 1 : 0
    var child = index + 1
    while child < end, body(child) { child = Int(entries[child + nameEntries].next) }
  }
}
