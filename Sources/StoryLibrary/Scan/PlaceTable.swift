/// A hash table with open addressing of places in a list, for keys that lie in that list: it holds
/// nothing but four bytes a slot.
///
/// The places are 0, 1, 2 and so on, in the order in which they are added. The table knows sums only;
/// whether a place has the key that is looked for, the list has to tell.
package struct PlaceTable: Sendable {
  /// For each slot a place, or ``free``. A place is in the first free slot from that on which the sum
  /// of its key asks for. A power of two, and never more than half full.
  private var slots: [Int32]
  /// How many places there are.
  package private(set) var count = 0

  private static let free: Int32 = -1
  /// Another one in each process, so that it takes effort to choose keys that all ask for one slot.
  private static let seed = UInt64.random(in: 0...UInt64.max)

  /// An empty table with room for some places.
  package init(capacity: Int = 0) {
    slots = Array(repeating: Self.free, count: 2 << (64 - capacity.leadingZeroBitCount))
  }

  /// The sum of a key's bytes; it holds for this process.
  package static func sum(_ key: UnsafeRawBufferPointer) -> UInt64 { xxHash64(key, seed: seed) }

  private func first(_ sum: UInt64) -> Int { Int(truncatingIfNeeded: sum) & (slots.count - 1) }

  private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

  /// The first place that a condition holds for, of those whose keys may have a sum; `nil` where there
  /// is none. Asked with `false` for an answer, the condition is told all of them, in their order.
  package func place(_ sum: UInt64, where isMeant: (Int) -> Bool) -> Int? {
    var slot = first(sum)
    while slots[slot] != Self.free {
      let place = Int(slots[slot])
      if isMeant(place) { return place }
      slot = next(slot)
    }
    return nil
  }

  /// Whether a larger table has to take this one's place before another place is added.
  package var isFull: Bool { 2 * count >= slots.count }

  /// Adds the next place, whose key has a sum, to a table that is not full.
  package mutating func add(_ sum: UInt64) {
    precondition(!isFull)
    var slot = first(sum)
    while slots[slot] != Self.free { slot = next(slot) }
    slots[slot] = Int32(count)
    count += 1
  }
}
