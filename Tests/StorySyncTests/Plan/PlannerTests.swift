import JSONText
import StoryAPI
import StoryLibrary
import Testing

@testable import StorySync

/// What a plan does across records: order, adoption, names, and reasons to stop.
@Suite struct PlannerTests {
  @Test func hereBeforeThereAndWhatIsNamedFirst() throws {
    var source = MemorySource()
    let (gone, old) = (PlanSamples.hero("Gone"), PlanSamples.hero("Old"))
    try source.add("heroes/gone", text: nil, sidecar: PlanSamples.sidecar(.heroes, "h1", gone))
    try source.add("heroes/new", text: PlanSamples.text(PlanSamples.hero("New")), sidecar: nil)
    try source.add(
      "heroes/old", text: PlanSamples.text(PlanSamples.hero("Old", ["age": 8])),
      sidecar: PlanSamples.sidecar(.heroes, "h2", old))
    try source.add(
      "stories/gone", text: nil,
      sidecar: PlanSamples.sidecar(.stories, "s1", PlanSamples.story("Gone", hero: "h1")))
    try source.add(
      "stories/new", text: PlanSamples.text(PlanSamples.story("New", hero: "h2")), sidecar: nil)
    source.addThere(PlanSamples.remote(.heroes, "h3", PlanSamples.hero("Theirs")))
    source.addThere(PlanSamples.remote(.stories, "s3", PlanSamples.story("Theirs", hero: "h3")))
    #expect(
      try source.plan().outline == [
        "takeNew heroes/theirs", "takeNew stories/theirs", "create heroes/new", "update heroes/old",
        "create stories/new", "delete stories/gone", "delete heroes/gone",
      ])
  }

  @Test func identicalRecordsAreAdoptedOneToOne() throws {
    var source = MemorySource()
    for name in ["a", "b", "c"] {
      try source.add(
        "heroes/\(name)", text: PlanSamples.text(PlanSamples.hero("Twin")), sidecar: nil)
    }
    for id in ["h2", "h1"] {
      source.addThere(PlanSamples.remote(.heroes, id, PlanSamples.hero("Twin")))
    }
    let plan = try source.plan()
    #expect(plan.outline == ["adopt heroes/a", "adopt heroes/b", "create heroes/c"])
    #expect(plan.steps.prefix(2).map(\.id) == ["h1", "h2"])
  }

  @Test func adoptedHeroIsNamedByAnAdoptedStory() throws {
    var source = MemorySource()
    try source.add("heroes/luna", text: PlanSamples.text(PlanSamples.hero("Luna")), sidecar: nil)
    try source.add(
      "stories/snow", text: "{\"title\": \"Snow\", \"hero\": \"luna\", \"content\": \"once\"}",
      sidecar: nil)
    source.addThere(PlanSamples.remote(.heroes, "h1", PlanSamples.hero("Luna")))
    source.addThere(PlanSamples.remote(.stories, "s1", PlanSamples.story("Snow", hero: "h1")))
    #expect(try source.plan().outline == ["adopt heroes/luna", "adopt stories/snow"])
  }

  @Test func newRecordsGetTheirNamesInTheOrderInWhichTheyWereMade() throws {
    var source = MemorySource()
    try source.add("heroes/luna", text: PlanSamples.text(PlanSamples.hero("Other")), sidecar: nil)
    source.addThere(
      PlanSamples.remote(.heroes, "h3", PlanSamples.hero("LUNA"), createdAt: "2026-01-03T00:00:00Z")
    )
    source.addThere(
      PlanSamples.remote(.heroes, "h1", PlanSamples.hero("Mia"), createdAt: "2026-01-02T00:00:00Z"))
    source.addThere(
      PlanSamples.remote(.heroes, "h2", PlanSamples.hero("Mia"), createdAt: "2026-01-01T00:00:00Z"))
    let plan = try source.plan(pushes: false)
    #expect(plan.steps.map(\.id) == ["h2", "h1", "h3"])
    #expect(
      plan.steps.map(\.ref.name) == [
        "mia", Slug.distinguished("mia", id: "h1"), Slug.distinguished("luna", id: "h3"),
      ])
  }

  @Test(arguments: [
    ("2026-02-01T00:00:00.000Z", false), ("2026-01-01T00:00:00Z", false),
    ("2025-12-31T23:59:59.999Z", true), ("2026-01-01T01:00:00.000+01:00", false),
  ])
  func olderVersionThanBeforeStops(_ updatedAt: String, _ stops: Bool) throws {
    var source = MemorySource()
    let luna = PlanSamples.hero("Luna")
    try source.add(
      "heroes/luna", text: PlanSamples.text(luna), sidecar: PlanSamples.sidecar(.heroes, "h1", luna)
    )
    source.addThere(PlanSamples.remote(.heroes, "h1", luna, updatedAt: updatedAt))
    #expect(try source.plan().stops.isEmpty == !stops)
  }

  // MARK: Names

  @Test func newRecordsKeepAwayFromNamesThatRenamedOnesTook() throws {
    var source = MemorySource()
    let mia = PlanSamples.hero("Mia")
    try source.add(
      "heroes/luna", text: PlanSamples.text(mia), sidecar: PlanSamples.sidecar(.heroes, "h1", mia),
      renamedFrom: "heroes/mia")
    source.addThere(
      PlanSamples.remote(.heroes, "h2", PlanSamples.hero("Luna"), createdAt: "2026-01-02T00:00:00Z")
    )
    source.addThere(
      PlanSamples.remote(.heroes, "h3", PlanSamples.hero("Mia"), createdAt: "2026-01-03T00:00:00Z"))
    #expect(
      try source.plan().outline == [
        "moveSidecar heroes/luna", "takeNew heroes/\(Slug.distinguished("luna", id: "h2"))",
        // The old name's sidecar is still there when this is planned.
        "takeNew heroes/\(Slug.distinguished("mia", id: "h3"))",
      ])
  }

  @Test func veryManyNewRecordsGetTheirNamesInTheOrderInWhichTheyWereMade() throws {
    var source = MemorySource()
    var expected: [String] = []
    for number in 0..<1_100 {
      let (id, title) = ("h\(number)", "Hero \(number % 1_000)")
      source.addThere(
        PlanSamples.remote(
          .heroes, id, PlanSamples.hero(title),
          createdAt: "2026-01-01T00:\(10 + number / 60):\(10 + number % 60)Z"))
      let slug = "hero-\(number % 1_000)"
      let name = number < 1_000 ? slug : Slug.distinguished(slug, id: id)
      expected.append("takeNew heroes/\(name)")
    }
    #expect(try source.plan().outline == expected)
  }

  @Test func recordsThatChangeTheirNamesWithEachOtherKeepTheirIds() throws {
    var source = MemorySource()
    let (mia, luna) = (PlanSamples.hero("Mia"), PlanSamples.hero("Luna"))
    try source.add(
      "heroes/luna", text: PlanSamples.text(mia), sidecar: PlanSamples.sidecar(.heroes, "h1", mia),
      renamedFrom: "heroes/mia")
    try source.add(
      "heroes/mia", text: PlanSamples.text(luna), sidecar: PlanSamples.sidecar(.heroes, "h2", luna),
      renamedFrom: "heroes/luna")
    let plan = try source.plan()
    #expect(plan.outline == ["moveSidecar heroes/luna", "moveSidecar heroes/mia"])
    #expect(plan.steps.map(\.id) == ["h1", "h2"])
  }

  @Test(arguments: [true, false])
  func renamesAreNoDeletes(_ pulls: Bool) throws {
    var source = MemorySource()
    for number in 0..<10 {
      let hero = PlanSamples.hero("H\(number)")
      try source.add(
        "heroes/family/h\(number)", text: PlanSamples.text(hero),
        sidecar: PlanSamples.sidecar(.heroes, "h\(number)", hero), renamedFrom: "heroes/h\(number)")
    }
    let plan = try source.plan(pulls: pulls)
    #expect(plan.stops.isEmpty)
    #expect(plan.steps.allSatisfy { $0.action == .moveSidecar })
  }

  // MARK: Records with one id

  @Test func recordsWithOneIdAreLeftAloneAndTheOthersGoOn() throws {
    var source = MemorySource()
    let luna = PlanSamples.hero("Luna")
    for name in ["copy", "luna"] {
      try source.add(
        "heroes/\(name)", text: PlanSamples.text(PlanSamples.hero("Luna", ["age": 8])),
        sidecar: PlanSamples.sidecar(.heroes, "h1", luna), state: .duplicateId)
    }
    try source.add("heroes/otto", text: PlanSamples.text(PlanSamples.hero("Otto")), sidecar: nil)
    source.addThere(PlanSamples.remote(.heroes, "h1", PlanSamples.hero("Luna!")))
    let plan = try source.plan()
    #expect(plan.outline == ["create heroes/otto"])
    #expect(plan.failures.map(\.ref.description) == ["heroes/copy", "heroes/luna"])
    source.deleteThere(.heroes, "h1")
    #expect(try source.plan().outline == ["create heroes/otto"])
  }

  // MARK: A server that went back

  @Test(arguments: ["synced", "edited", "gone", "conflict"])
  func serverThatWentBackStopsWhateverIsHere(_ state: String) throws {
    var source = MemorySource()
    let luna = PlanSamples.hero("Luna")
    var sidecar = PlanSamples.sidecar(.heroes, "h1", luna)
    if state == "conflict" {
      sidecar.conflict = .fields(
        updatedAt: sidecar.updatedAt, [.init(wireKey: "age", base: 6, server: 7)])
    }
    let text =
      state == "gone" ? nil : PlanSamples.text(state == "synced" ? luna : PlanSamples.hero("Otto"))
    try source.add("heroes/luna", text: text, sidecar: sidecar)
    source.addThere(
      PlanSamples.remote(
        .heroes, "h1", PlanSamples.hero("Old"), updatedAt: "2025-12-31T00:00:00.000Z"))
    for (pulls, pushes) in [(true, true), (true, false), (false, true)] {
      let plan = try source.plan(pulls: pulls, pushes: pushes)
      #expect(plan.steps.isEmpty)
      guard case .serverWentBack(let ref, _, _)? = plan.stops.first else {
        Issue.record("\(state): no stop")
        continue
      }
      #expect(ref.description == "heroes/luna")
    }
  }
}
