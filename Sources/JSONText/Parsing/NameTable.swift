/// Finds two members of the same name in an object, in time that grows with the members' number.
struct NameTable {
  /// Objects of up to this many members are compared name by name.
  private static let pairwiseLimit = 16

  private var names: [Int] = []
  /// Names by hash, as an index into `names` plus one; 0 is a free place.
  private var slots: [UInt32] = []

  /// The entry of the first name that stood before in its object, with that earlier entry.
  mutating func duplicate(
    inObject object: Int, of entries: [JSONNode.Entry], text: UnsafeBufferPointer<UInt8>
  ) -> (name: Int, first: Int)? {
    names.removeAll(keepingCapacity: true)
    names.reserveCapacity(Self.pairwiseLimit)
    var child = object + 1
    while child < entries.count {
      names.append(child)
      child = Int(entries[child + 1].next)
    }
    return names.count <= Self.pairwiseLimit
      ? duplicateByPairs(entries, text) : duplicateByHash(entries, text)
  }

  private func duplicateByPairs(
    _ entries: [JSONNode.Entry], _ text: UnsafeBufferPointer<UInt8>
  ) -> (name: Int, first: Int)? {
    for place in names.indices.dropFirst() {
      for earlier in names[..<place]
      where Self.isSame(entries[earlier], entries[names[place]], text) {
        return (names[place], earlier)
      }
    }
    return nil
  }

  /// The hash is seeded for each process, so that nobody can prepare names that all collide.
  private mutating func duplicateByHash(
    _ entries: [JSONNode.Entry], _ text: UnsafeBufferPointer<UInt8>
  ) -> (name: Int, first: Int)? {
    let capacity = 1 << (Int.bitWidth - (names.count * 2 - 1).leadingZeroBitCount)
    slots.removeAll(keepingCapacity: true)
    slots.append(contentsOf: repeatElement(0, count: capacity))
    for (place, name) in names.enumerated() {
      var hasher = Hasher()
      entries[name].withContent(in: text) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      var slot = hasher.finalize() & (capacity - 1)
      while slots[slot] != 0 {
        let earlier = names[Int(slots[slot]) - 1]
        if Self.isSame(entries[earlier], entries[name], text) { return (name, earlier) }
        slot = (slot + 1) & (capacity - 1)
      }
      slots[slot] = UInt32(place + 1)
    }
    return nil
  }

  @inline(__always)
  private static func isSame(
    _ lhs: JSONNode.Entry, _ rhs: JSONNode.Entry, _ text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    if !lhs.hasEscapes, !rhs.hasEscapes {
      guard lhs.end - lhs.start == rhs.end - rhs.start else { return false }
      return sameBytes(
        UnsafeBufferPointer(rebasing: text[lhs.content]),
        UnsafeBufferPointer(rebasing: text[rhs.content]))
    }
    return lhs.withContent(in: text) { rhs.holdsString($0, in: text) }
  }
}
