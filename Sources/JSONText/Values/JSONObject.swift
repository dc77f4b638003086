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
    // Searching is faster than hashing as long as there are few members.
    var places: [ExactName: Int] = [:]
    for (key, value) in members {
      if self.members.count < 16 {
        self[key] = value
        continue
      }
      if places.isEmpty {
        for (place, member) in self.members.enumerated() { places[ExactName(member.key)] = place }
      }
      if let place = places[ExactName(key)] {
        self.members[place].value = value
      } else {
        places[ExactName(key)] = self.members.count
        self.members.append(Member(key: key, value: value))
      }
    }
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
  /// the member for `nil` (a JSON `null` is `.some(.null)`, or `JSONValue.null`).
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
    JSONValue.object(lhs) == JSONValue.object(rhs)
  }

  /// Hashes the members so that their order does not count.
  public func hash(into hasher: inout Hasher) { hasher.combine(JSONValue.object(self)) }

  /// An order of members by their names’ bytes, for comparing.
  static func isInOrder(_ lhs: Member, _ rhs: Member) -> Bool {
    lhs.key.utf8.lexicographicallyPrecedes(rhs.key.utf8)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object from a literal, in the order it is written.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.lazy.map { (key: $0.0, value: $0.1) })
  }
}
