/// Finds entries by their ids, without a copy of the ids.
///
/// A dictionary of all ids would be the largest thing in memory; this has the ids' sums and the
/// places of the entries, in the order of the sums.
struct IDTable: Sendable {
  private struct Row: BitwiseCopyable {
    var sum: UInt64
    var place: Int32
  }

  private var rows: [Row] = []

  init() {}

  init(_ entries: [ScanEntry]) {
    rows.reserveCapacity(entries.count)
    for place in entries.indices {
      guard let id = entries[place].idBytes else {
        for id in entries[place].possibleIDs {
          rows.append(Row(sum: Self.sum(Substring(id).utf8), place: Int32(place)))
        }
        continue
      }
      rows.append(Row(sum: Self.sum(id), place: Int32(place)))
    }
    rows.sort { ($0.sum, $0.place) < ($1.sum, $1.place) }
  }

  private static func sum(_ id: Substring.UTF8View) -> UInt64 {
    id.withContiguousStorageIfAvailable { xxHash64(UnsafeRawBufferPointer($0), seed: 0) }
      ?? Array(id).withUnsafeBytes { xxHash64($0, seed: 0) }
  }

  /// The places of the entries that may have or name an id, in their order.
  func places(of id: String) -> some Sequence<Int> {
    let sum = Self.sum(Substring(id).utf8)
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].sum < sum { low = middle + 1 } else { high = middle }
    }
    return rows[low...].lazy.prefix { $0.sum == sum }.map { Int($0.place) }
  }

  /// The places of entries that may have or name one id, for each id that several may have.
  var twins: [[Int]] {
    var groups: [[Int]] = []
    var next = 0
    while next < rows.count {
      var end = next + 1
      while end < rows.count, rows[end].sum == rows[next].sum { end += 1 }
      if end > next + 1 { groups.append(rows[next..<end].map { Int($0.place) }) }
      next = end
    }
    return groups
  }
}
