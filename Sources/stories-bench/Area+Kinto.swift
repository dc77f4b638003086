import Foundation
import JSONText
import StoryLibrary

extension Area {
  /// The same things by this program and by kinto-http, with two sizes of libraries.
  func kinto(_ bench: Bench) async throws {
    for records in [bench.options.records, bench.options.records * 20] {
      let nodes = try KintoNodes(bench)
      defer { nodes.end() }
      try await KintoComparison(bench, nodes, SampleLibrary(count: records)).measure()
    }
  }
}

/// This program and kinto-http doing the same with one Kinto, in turn.
private struct KintoComparison {
  /// What is done, and how long it may take compared with kinto-http.
  enum Task: String {
    case push, idle, edits, pull

    var name: String {
      switch self {
      case .push: "push of all records"
      case .idle: "sync with no changes"
      case .edits: "sync of 10 edits"
      case .pull: "pull of all records"
      }
    }
    var bound: Double { self == .push || self == .pull ? 0.5 : 1 }
  }

  struct Cost {
    var seconds = 0.0
    var client = 0.0
    var nodes = 0.0
    var database = 0.0
    var memory = 0
    /// What it takes to write the received files and nothing else.
    var files = 0.0
  }

  private let bench: Bench
  private let nodes: KintoNodes
  private let sample: SampleLibrary
  /// The library that is pushed, and its bucket.
  private let root: String
  private let bucket: String
  /// The bucket of kinto-http, and the records for it.
  private let otherBucket: String
  private let file: String

  init(_ bench: Bench, _ nodes: KintoNodes, _ sample: SampleLibrary) throws {
    (self.bench, self.nodes, self.sample) = (bench, nodes, sample)
    (root, bucket) = (bench.newFolder("library"), nodes.newBucket())
    (file, otherBucket) = (bench.newFolder("records"), Path.name(nodes.newBucket()))
    try sample.write(to: root, server: bucket, api: .auto)
    var collections = JSONObject()
    for kind in EntityKind.writable {
      let records = sample.records.filter { $0.ref.kind == kind }.map { record -> JSONValue in
        var data = record.wire
        data["id"] = .string(record.id)
        return .object(data)
      }
      collections[kind.rawValue] = .array(records)
    }
    try RawFiles.write(JSONValue.object(collections).compactBytes, to: file)
    try bench.stories(
      root, "sign-in", "--user", KintoNodes.user, "--password-stdin",
      input: KintoNodes.password + "\n")
    try RawFiles.flush(root)
  }

  func measure() async throws {
    try await compare(.push, rounds: 1)
    // A list is asked again from five minutes before its last change.
    try await ContinuousClock().sleep(for: .seconds(305))
    for _ in 0..<2 { try bench.stories(root, "sync") }
    for task in [Task.idle, .edits, .pull] { try await compare(task, rounds: bench.options.rounds) }
  }

  private func compare(_ task: Task, rounds: Int) async throws {
    var (own, other, unflushed): ([Cost], [Cost], [Cost]) = ([], [], [])
    for round in 0..<rounds {
      own.append(try await self.own(task, round))
      other.append(try self.other(task.rawValue))
      if task == .pull { unflushed.append(try self.other("pull-unflushed")) }
    }
    let name = "kinto, \(sample.records.count) records: \(task.name)"
    func add(_ what: String, _ part: (Cost) -> Double, atMost bound: Double? = nil) {
      bench.add(
        Row(
          what: what, values: own.map(part),
          limit: Row.Limit(what: "kinto-http", values: other.map(part)),
          bound: bound.map { .ratio(atMost: $0) }))
    }
    add(name, { $0.seconds }, atMost: task.bound)
    if task == .pull {
      for (what, values) in [
        ("kinto-http, not flushing", unflushed.map(\.seconds)),
        ("bare writes of its files", own.map(\.files)),
      ] {
        bench.add(
          Row(
            what: "  elapsed", values: own.map(\.seconds),
            limit: Row.Limit(what: what, values: values)))
      }
    }
    add("  processor time: client", { $0.client })
    add("  processor time: two nodes", { $0.nodes })
    add("  processor time: PostgreSQL", { $0.database })
    if task == .push || task == .pull {
      bench.add(
        Row(
          what: "  memory", unit: .bytes, values: own.map { Double($0.memory) },
          bound: .value(atMost: 250_000_000)))
    }
  }

  private func own(_ task: Task, _ round: Int) async throws -> Cost {
    switch task {
    case .push: return try cost { try bench.stories(root, "sync", "push") }
    case .idle: return try cost { try bench.stories(root, "sync") }
    case .edits:
      for record in sample.records.suffix(10) {
        let path = Path.join(root, record.ref.path)
        let text = String(decoding: try FileSystem.read(path), as: UTF8.self)
        let edited = text.replacing(
          "\"title\": \"", with: "\"title\": \"Edit \(round) ", maxReplacements: 1)
        try RawFiles.write(Array(edited.utf8), to: path)
      }
      return try cost { try bench.stories(root, "sync") }
    case .pull:
      let copy = bench.newFolder("pulled")
      try SampleLibrary(count: 0).write(to: copy, server: bucket, api: .auto)
      try RawFiles.flush(copy)
      var cost = try cost { try bench.stories(copy, "sync", "pull", "--yes") }
      cost.files = try await RawFiles.writeAgain(RawFiles.list(copy), to: bench.newFolder("copy"))
      return cost
    }
  }

  private func other(_ task: String) throws -> Cost {
    try cost {
      try bench.run([
        KintoNodes.python ?? "", "-c", KintoScripts.client, nodes.url, KintoNodes.user,
        KintoNodes.password, otherBucket, task, file, bench.newFolder("kinto-http"),
      ])
    }
  }

  private func cost(_ work: () throws -> TimedProcess.End) throws -> Cost {
    let before = nodes.usage
    let end = try work()
    let after = nodes.usage
    return Cost(
      seconds: end.seconds, client: end.processorSeconds, nodes: after.nodes - before.nodes,
      database: after.database - before.database, memory: end.peakMemory)
  }
}
