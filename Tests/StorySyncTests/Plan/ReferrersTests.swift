import JSONText
import StoryAPI
import StoryLibrary
import Testing

@testable import StorySync

/// A hero that stories name is not deleted under them.
@Suite struct ReferrersTests {
  /// A library in which the hero `h1` is deleted here, with one story that names it somehow.
  private func deletedHero(
    _ add: (inout MemorySource) throws -> Void
  ) throws -> MemorySource {
    var source = MemorySource()
    try source.add(
      "heroes/luna", text: nil,
      sidecar: PlanSamples.sidecar(.heroes, "h1", PlanSamples.hero("Luna")))
    try source.add(
      "heroes/otto", text: PlanSamples.text(PlanSamples.hero("Otto")),
      sidecar: PlanSamples.sidecar(.heroes, "h2", PlanSamples.hero("Otto")))
    try add(&source)
    return source
  }

  private static let snow = PlanSamples.story("Snow", hero: "h1")

  static let naming:
    [(name: String, stops: Bool, add: @Sendable (inout MemorySource) throws -> Void)] = [
      ("nothing names it", false, { _ in }),
      (
        "a story here does", true,
        {
          try $0.add(
            "stories/snow", text: PlanSamples.text(snow),
            sidecar: PlanSamples.sidecar(.stories, "s1", snow))
        }
      ),
      (
        "a new story here does", true,
        { try $0.add("stories/snow", text: PlanSamples.text(snow), sidecar: nil) }
      ),
      ("an unseen story does", true, { $0.addThere(PlanSamples.remote(.stories, "s1", snow)) }),
      (
        "a story that goes with it", false,
        {
          try $0.add("stories/snow", text: nil, sidecar: PlanSamples.sidecar(.stories, "s1", snow))
        }
      ),
      (
        "a story that is moved to another hero", false,
        {
          try $0.add(
            "stories/snow", text: PlanSamples.text(PlanSamples.story("Snow", hero: "h2")),
            sidecar: PlanSamples.sidecar(.stories, "s1", snow))
        }
      ),
      (
        "a story that somebody there moved to it", true,
        {
          let other = PlanSamples.story("Snow", hero: "h2")
          try $0.add(
            "stories/snow", text: PlanSamples.text(other),
            sidecar: PlanSamples.sidecar(.stories, "s1", other))
          $0.addThere(PlanSamples.remote(.stories, "s1", snow))
        }
      ),
      (
        "a story that goes here as well, for it was deleted there", false,
        {
          try $0.add(
            "stories/snow", text: PlanSamples.text(snow),
            sidecar: PlanSamples.sidecar(.stories, "s1", snow))
          $0.deleteThere(.stories, "s1")
        }
      ),
      (
        "an edited story that was deleted there", true,
        {
          let edited = PlanSamples.story("Snow!", hero: "h1")
          try $0.add(
            "stories/snow", text: PlanSamples.text(edited),
            sidecar: PlanSamples.sidecar(.stories, "s1", snow))
          $0.deleteThere(.stories, "s1")
        }
      ),
      (
        "a story that is gone here and changed there", true,
        {
          try $0.add("stories/snow", text: nil, sidecar: PlanSamples.sidecar(.stories, "s1", snow))
          $0.addThere(PlanSamples.remote(.stories, "s1", PlanSamples.story("Snow!", hero: "h1")))
        }
      ),
      (
        "a story outside a sparse checkout", true,
        {
          try $0.add(
            "stories/snow", text: nil, sidecar: PlanSamples.sidecar(.stories, "s1", snow),
            state: .notCheckedOut
          )
        }
      ),
    ]

  @Test(arguments: naming.map(\.name))
  func heroThatIsNamedIsNotDeleted(_ name: String) throws {
    let row = try #require(Self.naming.first { $0.name == name })
    let source = try deletedHero(row.add)
    let plan = try source.plan()
    #expect(plan.stops.isEmpty == !row.stops)
    #expect(plan.steps.contains { $0.action == .delete && $0.id == "h1" } == !row.stops)
  }

  @Test(arguments: naming.map(\.name))
  func heroThatIsNamedIsNotDeletedByAPush(_ name: String) throws {
    let row = try #require(Self.naming.first { $0.name == name })
    // A push leaves a story here that went there, and that still names the hero.
    let stops = row.stops || row.name.contains("goes here as well")
    let plan = try deletedHero(row.add).plan(pulls: false)
    #expect(plan.stops.isEmpty == !stops)
    #expect(plan.steps.contains { $0.action == .delete && $0.id == "h1" } == !stops)
  }

  @Test(arguments: [true, false]) func eventThatIsNamedIsNotDeleted(isNamed: Bool) throws {
    var source = MemorySource()
    try source.add(
      "heroes/luna", text: PlanSamples.text(PlanSamples.hero("Luna")),
      sidecar: PlanSamples.sidecar(.heroes, "h1", PlanSamples.hero("Luna")))
    try source.add(
      "events/tooth", text: nil,
      sidecar: PlanSamples.sidecar(.events, "e1", ["title": "Tooth", "promptSeed": "It falls."]))
    var story = Self.snow
    if isNamed { story["customEventId"] = "e1" }
    try source.add(
      "stories/snow", text: PlanSamples.text(story),
      sidecar: PlanSamples.sidecar(.stories, "s1", story))
    let plan = try source.plan()
    #expect(plan.stops.isEmpty != isNamed)
    #expect(plan.steps.contains { $0.action == .delete } != isNamed)
  }

  @Test func deleteWaitsForThoseThatHaveToLetGo() throws {
    let source = try deletedHero {
      try $0.add("stories/gone", text: nil, sidecar: PlanSamples.sidecar(.stories, "s1", Self.snow))
      try $0.add(
        "stories/moved", text: PlanSamples.text(PlanSamples.story("Snow", hero: "h2")),
        sidecar: PlanSamples.sidecar(.stories, "s2", Self.snow))
    }
    let plan = try source.plan()
    let delete = try #require(plan.steps.first { $0.id == "h1" })
    #expect(delete.after.map(\.description).sorted() == ["stories/gone", "stories/moved"])
  }
}
