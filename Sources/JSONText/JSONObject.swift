/// The members of a JSON object, in order, each name once.
///
/// Names are compared by their Unicode scalars: a composed and a decomposed `é` are two names.
public struct JSONObject: Sendable {
  /// One name and its value.
  public struct Member: Sendable, Hashable {
    /// The name, escapes resolved.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// A member from its name and value.
    public init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }

    /// Whether names (by scalars) and values are the same.
    public static func == (lhs: Member, rhs: Member) -> Bool {
      sameScalars(lhs.key, rhs.key) && lhs.value == rhs.value
    }

    /// Hashes the name's scalars and the value.
    public func hash(into hasher: inout Hasher) {
      hashScalars(key, into: &hasher)
      hasher.combine(value)
    }
  }

  /// The members in their order.
  public private(set) var members: [Member]

  /// An object without members.
  public init() { members = [] }

  /// Members that are known to have distinct names.
  init(unchecked members: [Member]) { self.members = members }

  /// Members in order; of two with the same name the later value stays, at the earlier place.
  public init(_ members: some Sequence<(key: String, value: JSONValue)>) {
    self.init()
    for (key, value) in members { self[key] = value }
  }

  /// How many members there are.
  public var count: Int { members.count }
  /// Whether there is no member.
  public var isEmpty: Bool { members.isEmpty }
  /// The names in order.
  public var keys: [String] { members.map(\.key) }

  /// The value of a member, `nil` where there is none.
  ///
  /// Setting replaces the value where the name stands, appends a new name at the end, and removes
  /// the member for `nil`.
  public subscript(key: String) -> JSONValue? {
    get { index(of: key).map { members[$0].value } }
    set {
      switch (index(of: key), newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  private func index(of key: String) -> Int? {
    members.firstIndex { sameScalars($0.key, key) }
  }
}

extension JSONObject: Hashable {
  /// Whether both have the same names with the same values, in whatever order.
  public static func == (lhs: JSONObject, rhs: JSONObject) -> Bool {
    guard lhs.count == rhs.count else { return false }
    let inOrder = zip(lhs.members, rhs.members).allSatisfy { sameScalars($0.key, $1.key) }
    if inOrder { return zip(lhs.members, rhs.members).allSatisfy { $0.value == $1.value } }
    return zip(lhs.sorted, rhs.sorted).allSatisfy { $0 == $1 }
  }

  /// Hashes the members in the order of their names, so that equal objects hash alike.
  public func hash(into hasher: inout Hasher) {
    for member in sorted { hasher.combine(member) }
  }

  private var sorted: [Member] {
    members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object from a literal, in the order it is written.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.lazy.map { (key: $0.0, value: $0.1) })
  }
}

/// Whether two strings have the same Unicode scalars; `==` on `String` would normalise.
func sameScalars(_ lhs: String, _ rhs: String) -> Bool {
  lhs.utf8.count == rhs.utf8.count && lhs.utf8.elementsEqual(rhs.utf8)
}

/// Hashes a string's scalars without normalising them.
func hashScalars(_ string: String, into hasher: inout Hasher) {
  var copy = string
  copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  hasher.combine(UInt8(0xFF))
}
