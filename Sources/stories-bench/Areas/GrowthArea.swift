import StoryLibrary

/// Whether ten times the records cost ten times as much.
enum GrowthArea: Area {
  static let name = "growth"
  static let summary = "the cost a record of a large library against a small one"

  static func measure(_ bench: Bench) async throws {
    let sizes = [bench.options.records / 10, bench.options.records, bench.options.records * 4]
    var costs: [Cost] = []
    for records in sizes where records > 0 { costs.append(try await cost(bench, records)) }
    for (small, large) in zip(costs, costs.dropFirst()) {
      let range = "\(large.records) against \(small.records) records"
      for (what, path) in Cost.parts {
        bench.add(
          Measurement(
            area: name, what: "\(what), \(range)", unit: path == \Cost.index ? .bytes : .seconds,
            samples: Samples([large[keyPath: path]]),
            limit: (name: "a record of the smaller", samples: Samples([small[keyPath: path]])),
            bound: path == \Cost.writes ? .none : .ratio(atMost: 1.25)))
      }
    }
  }

  /// What a record costs in a library of a size.
  private struct Cost {
    var records: Int
    var push = 0.0
    /// The sidecars of the push alone, written once more: so much of its growth is the disk's.
    var writes = 0.0
    var pull = 0.0
    var status = 0.0
    var index = 0.0

    static var parts: [(String, KeyPath<Cost, Double>)] {
      [
        ("push", \.push), ("the bare sidecar writes of it", \.writes), ("pull", \.pull),
        ("status", \.status), ("index", \.index),
      ]
    }
  }

  private static func cost(_ bench: Bench, _ records: Int) async throws -> Cost {
    var cost = Cost(records: records)
    let server = try Served(bench)
    defer { server.end() }
    let source = bench.newFolder("source")
    try SampleTree.makeNew(source, records: records, server: server.url)
    try server.signUp(bench, source)
    try bench.settle()
    cost.push = try bench.stories(source, "sync", "push").seconds / Double(records)
    let sidecars = try RawTree.files(source).filter { $0.contains("/.sync/") }
    cost.writes = try PushArea.writeAgain(sidecars, of: source, bench) / Double(records)
    let root = bench.newFolder("pulled")
    try SampleTree.makeNew(root, records: 0, server: server.url)
    try bench.settle()
    cost.pull = try bench.stories(root, "sync", "pull").seconds / Double(records)
    for _ in 0..<2 { try bench.stories(root, "status") }
    let statuses = try (0..<5).map { _ in try bench.stories(root, "status").seconds }
    cost.status = Samples(statuses).median / Double(records)
    let size = try FileSystem.status(Path.join(root, ".stories/index"))?.size ?? 0
    cost.index = Double(size) / Double(records)
    return cost
  }
}
