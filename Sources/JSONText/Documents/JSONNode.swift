/// One value inside a ``JSONDocument``, with its place in the text.
///
/// A node is a view: it copies nothing of the text, and its strings are decoded when asked for.
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
  ///
  /// A container's entry is followed by those of what it holds; in an object each name has an entry
  /// in front of its value's.
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

    /// The bytes between the quotes of a string.
    var content: Range<Int> { Int(start) + 1..<Int(end) - 1 }
  }

  private var entry: Entry { document.storage.entries[index] }

  /// What this node holds.
  public var kind: Kind { entry.kind }

  /// The bytes of this value in the document's text, quotes and brackets included.
  public var range: Range<Int> {
    let entry = entry
    return Int(entry.start)..<Int(entry.end)
  }

  /// Where this value starts, as an editor shows it.
  ///
  /// Counts the lines from the start of the text, so it takes time in proportion to the offset.
  public var position: TextPosition { document.position(at: Int(entry.start)) }

  /// The string, escapes resolved; `nil` for another kind.
  public var string: String? {
    let entry = entry
    guard entry.kind == .string else { return nil }
    return document.storage.bytes.withUnsafeBufferPointer { entry.string(in: $0) }
  }

  /// The number; `nil` for another kind.
  public var number: JSONNumber? {
    guard entry.kind == .number else { return nil }
    return JSONNumber(unchecked: String(decoding: document.storage.bytes[range], as: UTF8.self))
  }

  /// One member of an object: the node of its name and the node of its value.
  public struct Member: Sendable {
    /// The name, a string node.
    public let key: JSONNode
    /// The value.
    public let value: JSONNode

    /// The name, escapes resolved.
    public var name: String { key.string ?? "" }

    /// The member's bytes in the document's text, from the name's quote to the value's end.
    public var range: Range<Int> { key.range.lowerBound..<value.range.upperBound }
  }

  /// The members of an object in the text's order; none for another kind.
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

  /// The elements of an array in order; none for another kind.
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

  /// Whether this is an array or object with something in it.
  var isFilled: Bool { Int(entry.next) > index + 1 }

  /// The value of an object's member; `nil` where this is no object or has no such member.
  public subscript(key: String) -> JSONNode? { member(key)?.value }

  /// An object's member by name, compared by Unicode scalars; `nil` where this is no object or has
  /// no such member.
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

  /// Calls `body` with the entry of each element, or of each member's name, until it says `false`.
  private func forEachChild(_ body: (Int) -> Bool) {
    let entries = document.storage.entries
    let end = Int(entries[index].next)
    let nameEntries = entries[index].kind == .object ? 1 : 0
    var child = index + 1
    while child < end, body(child) { child = Int(entries[child + nameEntries].next) }
  }
}
