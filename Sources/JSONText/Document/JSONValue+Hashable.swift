extension JSONValue: Hashable {
  /// The depth to which containers are hashed. Deeper ones contribute only their count.
  private static let hashedDepth = 8

  /// Returns whether both are the same value. Deep values need no more stack than flat ones.
  public static func == (lhs: JSONValue, rhs: JSONValue) -> Bool {
    // Containers of the same type whose contents remain to be compared.
    var pending: [(JSONValue, JSONValue)] = []
    guard isSame(lhs, rhs, pending: &pending) else { return false }
    while let (left, right) = pending.popLast() {
      guard isSameContent(left, right, pending: &pending) else { return false }
    }
    return true
  }

  /// Hashes the value, so that equal values have the same hash.
  public func hash(into hasher: inout Hasher) { hash(into: &hasher, depth: 0) }

  /// Compares scalars and defers containers.
  @inline(__always)
  private static func isSame(
    _ lhs: JSONValue, _ rhs: JSONValue, pending: inout [(JSONValue, JSONValue)]
  ) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.number(let left), .number(let right)): return left == right
    case (.string(let left), .string(let right)): return sameScalars(left, right)
    case (.array(let left), .array(let right)):
      guard left.count == right.count else { return false }
      if !left.isEmpty { pending.append((lhs, rhs)) }
      return true
    case (.object(let left), .object(let right)):
      guard left.count == right.count else { return false }
      if !left.isEmpty { pending.append((lhs, rhs)) }
      return true
    default: return false
    }
  }

  /// Compares the children of two containers of the same type and count.
  private static func isSameContent(
    _ lhs: JSONValue, _ rhs: JSONValue, pending: inout [(JSONValue, JSONValue)]
  ) -> Bool {
    switch (lhs, rhs) {
    case (.array(let left), .array(let right)):
      for place in left.indices {
        guard isSame(left[place], right[place], pending: &pending) else { return false }
      }
    case (.object(let left), .object(let right)):
      var (left, right) = (left.members, right.members)
      if !hasSameNames(left, right) {
        left.sort(by: JSONObject.isInOrder)
        right.sort(by: JSONObject.isInOrder)
        guard hasSameNames(left, right) else { return false }
      }
      for place in left.indices {
        guard isSame(left[place].value, right[place].value, pending: &pending) else {
          return false
        }
      }
    default: return false
    }
    return true
  }

  private static func hasSameNames(
    _ lhs: [JSONObject.Member], _ rhs: [JSONObject.Member]
  ) -> Bool {
    for place in lhs.indices {
      guard sameScalars(lhs[place].key, rhs[place].key) else { return false }
    }
    return true
  }

  private func hash(into hasher: inout Hasher, depth: Int) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let bool): hasher.combine(bool)
    case .number(let number): hasher.combine(number)
    case .string(let string): hashScalars(string, into: &hasher)
    case .array(let elements):
      hasher.combine(elements.count)
      guard depth < Self.hashedDepth else { return }
      for element in elements { element.hash(into: &hasher, depth: depth + 1) }
    case .object(let object):
      hasher.combine(object.count)
      guard depth < Self.hashedDepth else { return }
      // Members are hashed individually, because their order does not count.
      var sum = 0
      for member in object.members {
        var copy = hasher
        hashScalars(member.key, into: &copy)
        member.value.hash(into: &copy, depth: depth + 1)
        sum ^= copy.finalize()
      }
      hasher.combine(sum)
    }
  }
}
