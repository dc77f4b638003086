import JSONText
import StoryAPI
import StoryLibrary

/// How much memory long syncs take.
enum MemoryArea: Area {
  static let name = "memory"
  static let summary = "peak memory of a push, a pull and a server, and how they grow"

  static func measure(_ bench: Bench) async throws {
    let count = bench.options.records
    for records in [count, count * 4] { try await measure(bench, records) }
  }

  private static func measure(_ bench: Bench, _ records: Int) async throws {
    let server = try Served(bench)
    defer { server.end() }
    let source = bench.newFolder("source")
    try SampleTree.makeNew(source, records: records, server: server.url)
    try server.signUp(bench, source)
    func add(_ what: String, _ bytes: Int, atMost: Double) {
      bench.add(
        Measurement(
          area: name, what: "\(what), \(records) records", unit: .bytes,
          samples: Samples([Double(bytes)]), bound: .value(atMost: atMost)))
    }
    func peak(_ root: String, _ direction: String) throws -> Int {
      try bench.run(
        [bench.program, "-C", root, "sync", direction], watchesMemory: true
      ).peakMemory
    }
    add("sync push", try peak(source, "push"), atMost: 150_000_000)
    let root = bench.newFolder("pulled")
    try SampleTree.makeNew(root, records: 0, server: server.url)
    add("sync pull", try peak(root, "pull"), atMost: 150_000_000)
    try connect(bench, server)
    add("serve, 64 connections", server.process.peakMemory, atMost: 400_000_000)
  }

  /// Has 64 connections ask at once.
  private static func connect(_ bench: Bench, _ server: Served) throws {
    let request = HTTPRequest(method: .get, url: "\(server.url)/api/health")
    _ = try RawRequests.send(Array(repeating: request, count: 640), width: 64, bench)
  }
}
