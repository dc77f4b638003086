/// Finds entries by their ids, without a copy of the ids.
///
/// A dictionary of all ids would be the largest thing in memory; this has the ids' sums and the
/// places of the entries, in a hash table with open addressing.
struct IDTable: Sendable {
  private struct Row: BitwiseCopyable {
    var sum: UInt64
    var place: Int32
  }

  /// The ids in the order of the entries.
  private var rows: [Row] = []
  /// For each slot the place of a row, or ``free``. A row is in the first free slot from that on which
  /// its sum asks for.
  private var slots: [Int32] = []
  /// The sums that several rows have.
  private var shared: Set<UInt64> = []

  private static let free: Int32 = -1

  init() {}

  init(_ entries: [ScanEntry]) {
    rows.reserveCapacity(entries.count)
    for place in entries.indices {
      if let id = entries[place].idBytes {
        rows.append(Row(sum: Self.sum(id), place: Int32(place)))
      } else {
        for id in entries[place].possibleIDs {
          rows.append(Row(sum: Self.sum(Substring(id).utf8), place: Int32(place)))
        }
      }
    }
    // A power of two, and never more than half full.
    slots = Array(repeating: Self.free, count: 2 << (64 - rows.count.leadingZeroBitCount))
    for (row, sum) in rows.lazy.map(\.sum).enumerated() {
      var slot = first(sum)
      while slots[slot] != Self.free {
        if rows[Int(slots[slot])].sum == sum { shared.insert(sum) }
        slot = next(slot)
      }
      slots[slot] = Int32(row)
    }
  }

  private func first(_ sum: UInt64) -> Int { Int(truncatingIfNeeded: sum) & (slots.count - 1) }

  private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

  private static func sum(_ id: Substring.UTF8View) -> UInt64 {
    id.withContiguousStorageIfAvailable { xxHash64(UnsafeRawBufferPointer($0), seed: 0) }
      ?? Array(id).withUnsafeBytes { xxHash64($0, seed: 0) }
  }

  /// The places of the entries that may have or name an id, in their order.
  func places(of id: String) -> [Int] { places(Self.sum(Substring(id).utf8)) }

  private func places(_ sum: UInt64) -> [Int] {
    guard !slots.isEmpty else { return [] }
    var places: [Int] = []
    var slot = first(sum)
    while slots[slot] != Self.free {
      let row = rows[Int(slots[slot])]
      if row.sum == sum { places.append(Int(row.place)) }
      slot = next(slot)
    }
    return places
  }

  /// The places of entries that may have or name one id, for each id that several may have.
  var twins: [[Int]] { shared.map(places).sorted { ($0.first ?? 0) < ($1.first ?? 0) } }
}
