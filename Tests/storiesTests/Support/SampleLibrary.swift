import StoryLibrary
import TestSupport

@testable import stories

/// A small library in a folder of its own: two heroes, a story and an event, all valid.
struct SampleLibrary: Sendable {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let configuration = try LibraryConfiguration(server: .embedded)
    _ = try Library.create(at: folder.path, configuration: configuration)
    try folder.write(Self.luna, to: "heroes/luna.json")
    try folder.write(Self.otto, to: "heroes/family/otto.json")
    try folder.write(Self.tooth, to: "events/lost-tooth.json")
    try folder.write(Self.snow, to: "stories/2026/first-snow.json")
  }

  func run(_ arguments: String...) async -> CommandRun {
    await CommandSetting(folder).run(arguments)
  }

  /// Pushes everything to the embedded server.
  func push() async throws {
    let result = await run("sync", "push")
    guard result.code == .done else { throw PushFailure(result: result) }
  }

  struct PushFailure: Error { var result: CommandRun }

  static let luna = """
    {
      "name": "Luna",
      "age": 7,
      "traits": ["brave", "curious"],
      "specialAbility": "talks to stars"
    }

    """
  static let otto = """
    {
      "name": "Otto",
      "age": 4,
      "traits": ["gentle"]
    }

    """
  static let tooth = """
    {
      "title": "A Lost Tooth",
      "promptSeed": "A tooth falls out."
    }

    """
  static let snow = """
    {
      "title": "The First Snow",
      "hero": "luna",
      "event": "lost-tooth",
      "language": "en",
      "content": [
        "Luna woke up and the window was white.",
        "",
        "It came at night, whispered the cat.",
        "",
        "She did not stop for socks."
      ]
    }

    """
}
