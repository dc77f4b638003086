import TestSupport
import Testing

@testable import StoryLibrary

@Suite("Places by the sums of keys")
struct PlaceTableTests {
  /// The places with a sum, as the table tells them.
  private func places(_ table: PlaceTable, _ sums: [UInt64], _ sum: UInt64) -> [Int] {
    var places: [Int] = []
    let none = table.place(sum) { place in
      if sums[place] == sum { places.append(place) }
      return false
    }
    #expect(none == nil)
    return places
  }

  @Test("an empty table has no place")
  func empty() {
    let table = PlaceTable()
    #expect(table.count == 0)
    #expect(table.place(0) { _ in true } == nil)
  }

  /// Sums of which many are equal, or ask for one slot.
  static let sums: [(name: String, sum: @Sendable (UInt64) -> UInt64)] = [
    ("different", { $0 &* 0x9E37_79B9_7F4A_7C15 }), ("few", { $0 % 7 }), ("one", { _ in 42 }),
    ("the same low bits", { $0 << 40 | 0xFFFF }), ("the last slot", { _ in .max }),
  ]

  @Test("each place is found by its sum, in order", arguments: sums)
  func found(_ row: (name: String, sum: @Sendable (UInt64) -> UInt64)) {
    let sums = (0..<300).map { row.sum($0) }
    var table = PlaceTable(capacity: sums.count)
    for sum in sums {
      #expect(!table.isFull)
      table.add(sum)
    }
    #expect(table.count == sums.count)
    for (place, sum) in sums.enumerated() {
      #expect(places(table, sums, sum) == sums.indices.filter { sums[$0] == sum })
      #expect(table.place(sum) { $0 == place } == place)
    }
    #expect(places(table, sums, 0x1234_5678_9ABC).isEmpty)
  }

  @Test(
    "there is room for as many places as were asked for", arguments: [0, 1, 2, 3, 4, 7, 8, 1000])
  func room(_ capacity: Int) {
    var table = PlaceTable(capacity: capacity)
    for place in 0..<capacity {
      #expect(!table.isFull)
      table.add(UInt64(place))
    }
  }
}
