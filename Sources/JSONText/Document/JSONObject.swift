/// The members of a JSON object in order, with distinct names.
///
/// Names are compared by Unicode scalars: a composed and a decomposed `é` are different names.
public struct JSONObject: Sendable {
  /// A name and its value.
  public struct Member: Sendable, Hashable {
    /// The unescaped name.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// Creates a member.
    public init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }

    /// Returns whether names (by scalars) and values are equal.
    public static func == (lhs: Member, rhs: Member) -> Bool {
      sameScalars(lhs.key, rhs.key) && lhs.value == rhs.value
    }

    /// Hashes the name's scalars and the value.
    public func hash(into hasher: inout Hasher) {
      hashScalars(key, into: &hasher)
      hasher.combine(value)
    }
  }

  /// The members in order.
  public private(set) var members: [Member]

  /// Creates an empty object.
  public init() { members = [] }

  /// Creates an object from members with distinct names.
  init(unchecked members: [Member]) { self.members = members }

  /// Creates an object from members in order. A duplicate name replaces the earlier value in place.
  public init(_ members: some Sequence<(key: String, value: JSONValue)>) {
    self.init()
    // Searching is faster than hashing for few members.
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

  /// The number of members.
  public var count: Int { members.count }
  /// Whether there are no members.
  public var isEmpty: Bool { members.isEmpty }
  /// The names in order.
  public var keys: [String] { members.map(\.key) }

  /// The value of a member, or `nil`.
  ///
  /// Setting it replaces an existing value, appends a new member, or removes the member for `nil`
  /// (a JSON `null` is `.some(.null)` or `JSONValue.null`).
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

  /// Returns the members named in `names` in that order, then the others in their own.
  package func ordered(by names: [String]) -> JSONObject {
    let ranks = ExactName.ranks(of: names)
    let ranked = members.enumerated().map { place, member in
      (rank: ranks[ExactName(member.key)] ?? .max, place: place, member: member)
    }
    let ordered = ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }
    return JSONObject(unchecked: ordered.map(\.member))
  }
}

extension JSONObject: Hashable {
  /// Returns whether both have the same members in any order.
  public static func == (lhs: JSONObject, rhs: JSONObject) -> Bool {
    JSONValue.object(lhs) == JSONValue.object(rhs)
  }

  /// Hashes the members independently of their order.
  public func hash(into hasher: inout Hasher) { hasher.combine(JSONValue.object(self)) }

  /// Orders members by the bytes of their names, for comparison.
  static func isInOrder(_ lhs: Member, _ rhs: Member) -> Bool {
    lhs.key.utf8.lexicographicallyPrecedes(rhs.key.utf8)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Creates an object from a literal, in its order.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.lazy.map { (key: $0.0, value: $0.1) })
  }
}
