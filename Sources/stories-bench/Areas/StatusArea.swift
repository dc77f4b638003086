import StoryLibrary

/// Finding that nothing changed.
enum StatusArea: Area {
  static let name = "status"
  static let summary = "a library in which nothing changed, against git and the file system"

  static func measure(_ bench: Bench) async throws {
    let root = bench.newFolder("settled")
    try SampleTree.makeSettled(root, records: bench.options.records)
    let git = ["git", "-C", root, "-c", "gc.auto=0"]
    try bench.run(git + ["init", "-q"])
    try bench.run(git + ["add", "."])
    try bench.run(git + ["commit", "-q", "-m", "all"])
    let files = try RawTree.files(root)
    let index = Path.join(root, ".stories/index")
    // Twice, for what is as new as an index is not believed by it.
    for _ in 0..<2 {
      try bench.stories(root, "status")
      try bench.run(git + ["status"])
    }
    var warm = try await bench.compare(
      Self.self, "nothing changed, index warm", bound: .ratio(atMost: 1), limit: "git status"
    ) {
      try bench.stories(root, "status").seconds
    } against: {
      try bench.run(git + ["status"]).seconds
    }
    warm.peakMemory = try bench.run(
      [bench.program, "-C", root, "status"], watchesMemory: true
    ).peakMemory
    bench.add(warm)
    bench.add(
      try await bench.compare(
        Self.self, "the same", bound: .none, limit: "stat of all files, one thread"
      ) {
        try bench.stories(root, "status").seconds
      } against: {
        RawTree.statAll(files)
      })
    var cold = try await bench.compare(
      Self.self, "nothing changed, index cold", bound: .ratio(atMost: 1.5),
      limit: "reading all bytes, one thread"
    ) {
      try FileSystem.remove(index)
      return try bench.stories(root, "status").seconds
    } against: {
      RawTree.readAll(files)
    }
    try FileSystem.remove(index)
    cold.peakMemory = try bench.run(
      [bench.program, "-C", root, "status"], watchesMemory: true
    ).peakMemory
    bench.add(cold)
    let scale = Double(bench.options.records) / 50_000
    for (what, row, megabytes) in [("warm", warm, 60.0), ("cold", cold, 120.0)] {
      bench.add(
        Measurement(
          area: name, what: "peak memory, index \(what)", unit: .bytes,
          samples: Samples([Double(row.peakMemory ?? 0)]),
          bound: scale == 1 ? .value(atMost: megabytes * 1_000_000) : .none))
    }
    if let size = try FileSystem.status(index)?.size {
      bench.add(
        Measurement(
          area: name, what: "index, bytes a record", unit: .count,
          samples: Samples([Double(size) / Double(bench.options.records)])))
    }
  }
}
