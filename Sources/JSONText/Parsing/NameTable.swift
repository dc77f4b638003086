/// Finds duplicate names in an object, in time proportional to the number of members.
struct NameTable {
  /// Objects with up to this many members are compared pairwise.
  private static let pairwiseLimit = 16

  /// Entry indices of names by hash; 0, which no name has, marks a free slot.
  private var slots: [UInt32] = []

  /// Returns the entry indices of the first duplicate name and of its earlier occurrence.
  ///
  /// The object's members must be the last entries.
  mutating func duplicate(
    inObject object: Int, of entries: UnsafeBufferPointer<JSONNode.Entry>,
    text: UnsafeBufferPointer<UInt8>
  ) -> (name: Int, first: Int)? {
    let first = object + 1
    var count = 0
    var name = first
    while name < entries.count {
      if count < Self.pairwiseLimit {
        var earlier = first
        while earlier < name {
          if Self.isSame(entries[earlier], entries[name], text) { return (name, earlier) }
          earlier = Int(entries[earlier + 1].next)
        }
      }
      count += 1
      name = Int(entries[name + 1].next)
    }
    return count <= Self.pairwiseLimit ? nil : duplicateByHash(first, count, entries, text)
  }

  /// Uses a hash that is seeded per process, so that nobody can prepare colliding names.
  private mutating func duplicateByHash(
    _ first: Int, _ count: Int, _ entries: UnsafeBufferPointer<JSONNode.Entry>,
    _ text: UnsafeBufferPointer<UInt8>
  ) -> (name: Int, first: Int)? {
    let capacity = 1 << (Int.bitWidth - (count * 2 - 1).leadingZeroBitCount)
    slots.removeAll(keepingCapacity: true)
    slots.append(contentsOf: repeatElement(0, count: capacity))
    var name = first
    while name < entries.count {
      var hasher = Hasher()
      entries[name].withContent(in: text) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      var slot = hasher.finalize() & (capacity - 1)
      while slots[slot] != 0 {
        let earlier = Int(slots[slot])
        if Self.isSame(entries[earlier], entries[name], text) { return (name, earlier) }
        slot = (slot + 1) & (capacity - 1)
      }
      slots[slot] = UInt32(truncatingIfNeeded: name)
      name = Int(entries[name + 1].next)
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
