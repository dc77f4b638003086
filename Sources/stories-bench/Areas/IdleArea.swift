import JSONText
import StoryAPI
import StoryLibrary

/// Syncing a library in which little or nothing happened.
enum IdleArea: Area {
  static let name = "idle"
  static let summary = "a sync without news, and one after ten edits"

  static func measure(_ bench: Bench) async throws {
    let server = try Served(bench)
    defer { server.end() }
    let root = bench.newFolder("settled")
    try SampleTree.makeNew(root, records: bench.options.records, server: server.url)
    try server.signUp(bench, root)
    for _ in 0..<3 { try bench.stories(root, "sync") }
    try bench.stories(root, "status")
    let report = try report(bench, root)
    let requests = report["requests"]?.integer ?? 0
    let bare = try await server.bare("bare")
    let messages = (0..<requests).map { _ in bare.request(.get, "/api/heroes?limit=1") }
    bench.add(
      try await bench.compare(
        Self.self, "sync without news", bound: .ratio(atMost: 1.3), limit: "status + its requests"
      ) {
        try bench.stories(root, "sync").seconds
      } against: {
        let status = try bench.stories(root, "status").seconds
        return try await status + Bench.seconds { _ = try await bare.sendAll(messages) }
      })
    // Two for each kind, and one that asks what the server can do.
    bench.add(
      Measurement(
        area: name, what: "requests of it", unit: .count, samples: Samples([Double(requests)]),
        bound: .value(atMost: Double(EntityKind.writable.count * 2 + 1))))
    bench.add(
      Measurement(
        area: name, what: "bytes received by it", unit: .bytes,
        samples: Samples([Double(report["bytes"]?["down"]?.integer ?? 0)]),
        bound: .value(atMost: 10_000)))
    try await edits(bench, root)
  }

  private static func edits(_ bench: Bench, _ root: String) async throws {
    let stories = try RawTree.files(Path.join(root, "stories")).filter { !$0.contains("/.sync/") }
    var number = 0
    var requests: [Double] = []
    bench.add(
      try await bench.compare(
        Self.self, "sync after 10 edits", bound: .ratio(atMost: 1.5), limit: "status"
      ) {
        for _ in 0..<10 {
          let path = stories[number * 37 % stories.count]
          let text = String(decoding: try FileSystem.read(path), as: UTF8.self)
          number += 1
          let edited = text.replacing(
            "\n  \"content\": [\n    \"", with: "\n  \"content\": [\n    \"\(number) ")
          try RawTree.write(Array(edited.utf8), to: path)
        }
        let end = try bench.stories(root, "sync", "--json")
        let report = try JSONValue(parsing: end.output)
        requests.append(Double(report["requests"]?.integer ?? 0))
        return end.seconds
      } against: {
        try bench.stories(root, "status").seconds
      })
    bench.add(
      Measurement(
        area: name, what: "requests of a sync after 10 edits", unit: .count,
        samples: Samples(requests),
        bound: .value(atMost: Double(EntityKind.writable.count * 2 + 2))))
  }

  private static func report(_ bench: Bench, _ root: String) throws -> JSONValue {
    try JSONValue(parsing: bench.stories(root, "sync", "--json").output)
  }
}
