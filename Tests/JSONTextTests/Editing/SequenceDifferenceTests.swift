import TestSupport
import Testing

@testable import JSONText

@Suite("What a sequence keeps")
struct SequenceDifferenceTests {
  @Test("small sequences keep as much as they can", arguments: UInt64(0)..<200)
  func small(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func numbers() -> [Int] {
      (0..<Int.random(in: 0..<12, using: &random)).map { _ in Int.random(in: 0..<5, using: &random)
      }
    }
    let (old, new) = (numbers(), numbers())
    let kept = SequenceDifference.kept(old, new)
    #expect(kept.count == longest(old[...], new[...]), "seed \(seed)")
    check(kept, old, new, seed)
  }

  @Test("long ones keep what is plain, in no time", arguments: UInt64(0)..<4)
  func long(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let old = (0..<20_000).map { _ in Int.random(in: 0..<30_000, using: &random) }
    var new = old.map { Int.random(in: 0..<10, using: &random) == 0 ? -$0 : $0 }
    new.removeSubrange(5_000..<6_000)
    var kept: [(old: Int, new: Int)] = []
    #expect(timeOfWork { kept = SequenceDifference.kept(old, new) } < .seconds(5))
    #expect(kept.count > 15_000)
    check(kept, old, new, seed)
  }

  @Test("two values in any order and everything anew take no time either")
  func hard() {
    var random = SeededGenerator(seed: 1)
    let bits = (0..<2).map { _ in (0..<10_000).map { _ in Int.random(in: 0..<2, using: &random) } }
    let time = timeOfWork {
      check(SequenceDifference.kept(bits[0], bits[1]), bits[0], bits[1], 1)
      #expect(SequenceDifference.kept(Array(0..<50_000), Array(50_000..<100_000)).isEmpty)
      let (old, new) = (Array(0..<20_000), Array((0..<20_000).reversed()))
      check(SequenceDifference.kept(old, new), old, new, 1)
    }
    #expect(time < .seconds(5))
  }

  private func check(_ kept: [(old: Int, new: Int)], _ old: [Int], _ new: [Int], _ seed: UInt64) {
    #expect(kept.allSatisfy { old[$0.old] == new[$0.new] }, "seed \(seed)")
    #expect(
      zip(kept, kept.dropFirst()).allSatisfy { $0.old < $1.old && $0.new < $1.new },
      "seed \(seed)")
  }

  private func longest(_ old: ArraySlice<Int>, _ new: ArraySlice<Int>) -> Int {
    var row = [Int](repeating: 0, count: new.count + 1)
    for element in old {
      var next = row
      for (place, other) in new.enumerated() {
        next[place + 1] = element == other ? row[place] + 1 : max(row[place + 1], next[place])
      }
      row = next
    }
    return row[new.count]
  }
}
