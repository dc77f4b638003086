import StoryLibrary

/// What it costs to start the program.
enum StartupArea: Area {
  static let name = "startup"
  static let summary = "a small library against an empty Foundation program"

  static func measure(_ bench: Bench) async throws {
    let root = bench.newFolder("small")
    try SampleTree.makeSettled(root, records: 200)
    let empty = Path.join(bench.products, "empty-program")
    bench.add(
      try await bench.compare(
        Self.self, "status, 200 records, whole process", bound: .ratio(atMost: 2),
        limit: "empty Foundation program", rounds: bench.options.rounds * 4
      ) {
        try bench.stories(root, "status").seconds
      } against: {
        try bench.run([empty]).seconds
      })
  }
}
