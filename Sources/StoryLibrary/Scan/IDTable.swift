/// Finds entries by their ids, without a copy of the ids.
///
/// A dictionary of all ids would be the largest thing in memory; this has the ids' sums and the
/// places of the entries.
struct IDTable: Sendable {
  private struct Row: BitwiseCopyable {
    var sum: UInt64
    var place: Int32
  }

  /// The ids in the order of the entries.
  private var rows: [Row] = []
  /// Finds rows by their sums.
  private var table = PlaceTable()
  /// The sums that several rows have.
  private var shared: Set<UInt64> = []

  init() {}

  init(_ entries: [ScanEntry]) {
    rows.reserveCapacity(entries.count)
    for place in entries.indices {
      if let sum = entries[place].identity.idSum {
        rows.append(Row(sum: sum, place: Int32(place)))
      } else {
        for id in entries[place].possibleIDs {
          rows.append(Row(sum: RecordIdentity.sum(ofID: id), place: Int32(place)))
        }
      }
    }
    table = PlaceTable(capacity: rows.count)
    for sum in rows.lazy.map(\.sum) {
      if table.place(sum, where: { rows[$0].sum == sum }) != nil { shared.insert(sum) }
      table.add(sum)
    }
  }

  /// The places of the entries that may have or name an id, in their order.
  func places(of id: String) -> [Int] { places(RecordIdentity.sum(ofID: id)) }

  private func places(_ sum: UInt64) -> [Int] {
    var places: [Int] = []
    _ = table.place(sum) { row in
      if rows[row].sum == sum { places.append(Int(rows[row].place)) }
      return false
    }
    return places
  }

  /// The places of entries that may have or name one id, for each id that several may have.
  var twins: [[Int]] { shared.map(places).sorted { ($0.first ?? 0) < ($1.first ?? 0) } }
}
