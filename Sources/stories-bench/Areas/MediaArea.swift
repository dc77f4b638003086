import JSONText
import StoryAPI
import StoryLibrary
import StorySync

/// Writing records through the repositories, and fetching large files.
enum MediaArea: Area {
  static let name = "media"
  static let summary = "records written by a program, and peak memory while 500 MB are fetched"

  static func measure(_ bench: Bench) async throws {
    try writes(bench)
    for files in [1, 4] { try fetch(bench, files: files) }
  }

  // MARK: Writing

  /// Each write on its own, with all its flushes, by the clock on the wall: that is what somebody
  /// who saves a record waits for.
  private static func writes(_ bench: Bench) throws {
    let root = bench.newFolder("written")
    let count = bench.options.records
    try SampleTree.makeSettled(root, records: count)
    let library = try Library(root: root)
    // Twice, for what is as new as an index is not believed by it.
    for _ in 0..<2 { _ = try Scanner(library).scan() }
    let repositories = Repositories(library) { _ in
      throw BenchOptions.Problem(description: "a write asked the server")
    }
    let heroes = library.recordNames([.heroes])
    guard let hero = heroes.first else { return }
    let stories = library.recordNames([.stories])
    let times = max(20, bench.options.rounds * 10)
    func add(_ what: String, _ write: (Int) throws -> Void) throws {
      let samples = try (0..<times).map { number in try Bench.seconds { try write(number) } }
      bench.add(
        Measurement(
          area: name, what: "\(what), of \(count) records", samples: Samples(samples),
          bound: .value(atMost: 0.005)))
    }
    try add("create a story") { number in
      _ = try repositories.stories.create(
        Story(title: "Made \(number)", hero: hero.name, content: "It snowed.\n\nThen it stopped."))
    }
    try add("update a story") { number in
      try repositories.stories.update(stories[number % stories.count].name) {
        $0.title = "Another \(number)"
      }
    }
    try add("delete a story") { number in try repositories.stories.delete("made-\(number)") }
    try add("delete a synced story") { number in
      try repositories.stories.delete(stories[number % stories.count].name)
    }
    for number in 0..<times {
      _ = try repositories.heroes.create(Hero(name: "Made \(number)", age: 7, traits: ["new"]))
    }
    try add("delete a hero that no story names") { number in
      try repositories.heroes.delete("made-\(number)")
    }
    try FileSystem.removeTree(root)
  }

  // MARK: Fetching

  /// 500 MB in all, in so many files that come at a time.
  private static func fetch(_ bench: Bench, files: Int) throws {
    let size = 500_000_000 / files
    let server = try FileServer(fileSize: size)
    defer { server.end() }
    let root = bench.newFolder("fetched")
    let settings: JSONValue = [
      "version": 1, "server": .string(server.url), "api": "v0",
      "synced": ["server": .string(server.url), "account": "bench@example.org"],
    ]
    let library = try Library.create(
      at: root, configuration: LibraryConfiguration(bytes: settings.fileBytes()))
    for number in 0..<files { try addStory(number, to: library) }
    var environment = bench.environment
    environment["STORIES_SERVER"] = server.url
    environment["STORIES_TOKEN"] = "bench"
    let process = try TimedProcess(
      [bench.program, "-C", root, "media", "pull"], environment: environment)
    let end = process.wait(watchesMemory: true)
    let fetched = try MediaStore(library).files()
    guard end.status == 0, fetched.count == files, fetched.allSatisfy({ $0.size == size }) else {
      throw BenchOptions.Problem(
        description: "media pull ended with \(end.status): "
          + String(decoding: end.output, as: UTF8.self))
    }
    let what = files == 1 ? "one file" : "\(files) files at a time"
    bench.add(
      Measurement(
        area: name, what: "peak memory while 500 MB come, \(what)", unit: .bytes,
        samples: Samples([Double(end.peakMemory)]), bound: .value(atMost: 60_000_000)))
    try FileSystem.removeTree(root)
  }

  private static func addStory(_ number: Int, to library: Library) throws {
    let ref = RecordRef(kind: .stories, name: "long-\(number)")
    let record: JSONValue = ["title": "Long", "heroId": "bench-hero", "content": ["Long."]]
    let sidecar: JSONValue = [
      "id": .string(FileServer.id(number)), "updatedAt": "2026-11-20T10:00:00.000Z",
      "base": ["title": "Long", "heroId": "bench-hero", "content": "Long."],
      "server": [
        "audioUrl": .string(FileServer.narration(number)), "audioGenerationStatus": "completed",
      ],
    ]
    try FileSystem.makeFolder(library.path("stories/.sync"))
    try RawTree.write(record.fileBytes(), to: library.path(ref.path))
    try RawTree.write(sidecar.fileBytes(), to: library.path(ref.sidecarPath))
  }
}
