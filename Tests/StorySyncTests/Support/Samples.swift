/// The records that small tests begin with.
enum Samples {
  static let luna = """
    {
      "name": "Luna",
      "age": 7,
      "traits": ["brave", "curious"],
      "specialAbility": "talks to stars"
    }

    """
  static let tooth = """
    {
      "title": "The lost tooth",
      "promptSeed": "A tooth is lost and found."
    }

    """
  static let snow = """
    {
      "title": "The First Snow",
      "hero": "luna",
      "event": "lost-tooth",
      "content": [
        "Luna woke up and the window was white.",
        "",
        "\\"It came at night,\\" whispered the cat."
      ]
    }

    """

  /// A library with a hero, an event and a story that names both.
  static func filled(
    _ world: some ServedWorld, _ name: String = "a", story: String = "first-snow"
  ) throws -> TestLibrary {
    let library = try world.library(name)
    try library.write("heroes/luna.json", luna)
    try library.write("events/lost-tooth.json", tooth)
    try library.write("stories/\(story).json", snow)
    return library
  }

  /// The same, synced.
  static func synced(_ world: some ServedWorld, _ name: String = "a") async throws -> TestLibrary {
    let library = try filled(world, name)
    try await library.sync()
    return library
  }

  /// A synced library with only the hero.
  static func syncedHero(_ world: some ServedWorld) async throws -> TestLibrary {
    let library = try world.library("a")
    try library.write("heroes/luna.json", luna)
    try await library.sync()
    return library
  }

  /// A synced library in which the story does not name the event, which can be deleted then.
  static func syncedApart(_ world: some ServedWorld) async throws -> TestLibrary {
    let library = try filled(world)
    let apart = snow.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains("lost-tooth") }.joined(separator: "\n")
    try library.write("stories/first-snow.json", apart)
    try await library.sync()
    return library
  }
}
