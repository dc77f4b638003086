import JSONText
import StoryAPI
import StoryLibrary
import Testing

@testable import StorySync

/// More deletes than are plausible stop a sync.
@Suite struct DeleteGuardTests {
  /// How many of a kind may go: five or a fifth, but never all of three or more.
  static let guarded: [(gone: Int, of: Int, stops: Bool)] = [
    (1, 1, false), (2, 2, false), (3, 3, true), (2, 3, false), (3, 4, false), (4, 4, true),
    (5, 5, true), (5, 6, false), (5, 25, false), (6, 25, true), (6, 29, true), (6, 30, false),
    (7, 30, true), (7, 35, false), (20, 100, false), (21, 100, true), (100, 100, true),
  ]

  @Test(arguments: guarded.indices)
  func moreDeletesThanPlausibleStop(_ place: Int) throws {
    let row = Self.guarded[place]
    for (onServer, isStated) in [(true, false), (true, true), (false, false)] {
      var source = MemorySource()
      for number in 0..<row.of {
        let hero = PlanSamples.hero("H\(number)")
        let isGone = number < row.gone
        try source.add(
          "heroes/h\(number)", text: isGone && onServer ? nil : PlanSamples.text(hero),
          sidecar: PlanSamples.sidecar(
            .heroes, "h\(number)", hero, isDeleteStated: isGone && isStated))
        if isGone && !onServer { source.deleteThere(.heroes, "h\(number)") }
      }
      let stop = SafetyStop.deletes(
        kind: .heroes, onServer: onServer, count: row.gone, of: row.of)
      #expect(try source.plan().stops == (row.stops && !isStated ? [stop] : []))
      #expect(try source.plan(maximumDeletes: row.gone).stops.isEmpty)
      // The other direction does not carry these deletes out.
      #expect(try source.plan(pulls: onServer ? true : false, pushes: !onServer).stops.isEmpty)
    }
  }

  @Test func deletesAreCountedByKindAndDirection() throws {
    var source = MemorySource()
    for number in 0..<20 {
      let hero = PlanSamples.hero("H\(number)")
      let isGone = number < 5
      try source.add(
        "heroes/h\(number)", text: isGone ? nil : PlanSamples.text(hero),
        sidecar: PlanSamples.sidecar(.heroes, "h\(number)", hero))
      if (5..<10).contains(number) { source.deleteThere(.heroes, "h\(number)") }
    }
    #expect(try source.plan().stops.isEmpty)
    source.deleteThere(.heroes, "h10")
    let stop = SafetyStop.deletes(kind: .heroes, onServer: false, count: 6, of: 20)
    #expect(try source.plan().stops == [stop])
    #expect(try source.plan(maximumDeletes: 5).stops == [stop])
    #expect(try source.plan(maximumDeletes: 6).stops.isEmpty)
  }
}
