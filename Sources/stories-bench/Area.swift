import Foundation
import JSONText
import StoryAPI
import StoryLibrary

/// An area of measurements. The page on performance explains the bounds.
enum Area: String, CaseIterable {
  case status, push, pull, idle, scale, merge, parse, kinto

  var summary: String {
    switch self {
    case .status: "a library in which nothing changed, against git and the file system"
    case .push: "sending new records in batches, against the bare batches and writes"
    case .pull: "receiving all records, against the bare pages and writes"
    case .idle: "a sync with no changes, against a status and its requests"
    case .scale: "memory of push and pull, and the cost of a record in larger libraries"
    case .merge: "git merge with our drivers, against git merge-file as the driver"
    case .parse: "JSONText against JSONSerialization"
    case .kinto: "a Kinto of two nodes on PostgreSQL, against kinto-http (if installed)"
    }
  }

  func measure(_ bench: Bench) async throws {
    switch self {
    case .status: try await status(bench)
    case .push: try await push(bench)
    case .pull: try await pull(bench)
    case .idle: try await idle(bench)
    case .scale: try await scale(bench)
    case .merge: try await merge(bench)
    case .parse: try await parse(bench)
    case .kinto: try await kinto(bench)
    }
  }

  /// Whether the area is measured unless others are named.
  var isUsual: Bool { self != .kinto || KintoNodes.python != nil }

  private func status(_ bench: Bench) async throws {
    let small = bench.newFolder("small")
    try SampleLibrary(count: 200).write(to: small, synced: true)
    for _ in 0..<2 { try bench.stories(small, "status") }
    try await bench.compare(
      "status of 200 records", atMost: 2, limit: "an empty program",
      rounds: bench.options.rounds * 4
    ) {
      try bench.stories(small, "status").seconds
    } against: {
      try bench.run([bench.own, "--empty"]).seconds
    }
    let root = bench.newFolder("settled")
    try SampleLibrary(count: bench.options.records).write(to: root, synced: true)
    let git = ["git", "-C", root, "-c", "gc.auto=0"]
    for words in [["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all"]] {
      try bench.run(git + words)
    }
    // An index does not cover files as new as itself, so it is made twice.
    for _ in 0..<2 {
      try bench.stories(root, "status")
      try bench.run(git + ["status"])
    }
    try await bench.compare("status, warm", atMost: 1.2, limit: "git status") {
      try bench.stories(root, "status").seconds
    } against: {
      try bench.run(git + ["status"]).seconds
    }
    let files = try RawFiles.list(root)
    try await bench.compare("status, cold", atMost: 1.5, limit: "reading all bytes") {
      try FileManager.default.removeItem(atPath: root + "/.stories/index")
      return try bench.stories(root, "status").seconds
    } against: {
      await seconds { RawFiles.readAll(files) }
    }
  }

  /// The number of records pushed and pulled per round; `scale` uses larger libraries.
  private func count(_ bench: Bench) -> Int { min(5_000, bench.options.records) }

  private func push(_ bench: Bench) async throws {
    let sample = SampleLibrary(count: count(bench))
    var served: Served?
    defer { served?.end() }
    var root = ""
    try await bench.compare(
      "push of \(count(bench)) new records", atMost: 1.6,
      limit: "reads + bare batches + sidecar writes"
    ) {
      served?.end()
      let server = try Served(bench)
      served = server
      root = try server.library(bench, sample)
      return try bench.stories(root, "sync", "push").seconds
    } against: {
      let records = try RawFiles.list(root, sidecars: false)
      return try await seconds { RawFiles.readAll(records) }
        + (try await served?.pushBare(bench, sample) ?? 0)
        + RawFiles.writeAgain(RawFiles.list(root, sidecars: true), to: bench.newFolder("copy"))
    }
  }

  private func pull(_ bench: Bench) async throws {
    let server = try Served(bench)
    defer { server.end() }
    let source = try server.library(bench, SampleLibrary(count: count(bench)))
    try bench.stories(source, "sync", "push")
    var root = ""
    try await bench.compare(
      "pull of \(count(bench)) records", atMost: 1.6, limit: "bare pages + parse + writes"
    ) {
      root = bench.newFolder("pulled")
      try SampleLibrary(count: 0).write(to: root, server: server.url)
      try RawFiles.flush(root)
      return try bench.stories(root, "sync", "pull", "--yes").seconds
    } against: {
      try await server.pullBare(source)
        + RawFiles.writeAgain(RawFiles.list(root), to: bench.newFolder("copy"))
    }
  }

  private func idle(_ bench: Bench) async throws {
    let server = try Served(bench)
    defer { server.end() }
    let root = try server.library(bench, SampleLibrary(count: bench.options.records))
    for _ in 0..<3 { try bench.stories(root, "sync") }
    try bench.stories(root, "status")
    let report = try JSONValue(parsing: Array(bench.stories(root, "sync", "--json").output.utf8))
    let requests = report["requests"]?.integer ?? 0
    let token = try await server.token(root)
    try await bench.compare("sync with no changes", atMost: 1.3, limit: "status + its requests") {
      try bench.stories(root, "sync").seconds
    } against: {
      try bench.stories(root, "status").seconds
        + (try await seconds {
          for _ in 0..<requests {
            try await server.answer(server.request(.get, "/api/heroes?limit=1", token: token))
          }
        })
    }
    bench.add(
      Row(
        what: "requests of a sync with no changes", unit: .count, values: [Double(requests)],
        bound: .value(atMost: 4)))
    bench.add(
      Row(
        what: "bytes received by a sync with no changes", unit: .bytes,
        values: [Double(report["bytes"]?["down"]?.integer ?? 0)], bound: .value(atMost: 10_000)))
  }

  private func scale(_ bench: Bench) async throws {
    let count = bench.options.records
    var smaller: (records: Int, costs: [Double])?
    for (records, megabytes) in [(max(1, count / 10), 150.0), (count, 150), (count * 4, 350)] {
      let server = try Served(bench)
      defer { server.end() }
      let source = try server.library(bench, SampleLibrary(count: records))
      let push = try bench.stories(source, "sync", "push")
      let root = bench.newFolder("pulled")
      try SampleLibrary(count: 0).write(to: root, server: server.url)
      try RawFiles.flush(root)
      let pull = try bench.stories(root, "sync", "pull", "--yes")
      for _ in 0..<2 { try bench.stories(root, "status") }
      let statuses = try (0..<5).map { _ in try bench.stories(root, "status").seconds }
      for (what, end) in [("push", push), ("pull", pull)] {
        bench.add(
          Row(
            what: "memory of a \(what) of \(records) records", unit: .bytes,
            values: [Double(end.peakMemory)], bound: .value(atMost: megabytes * 1_000_000)))
      }
      let costs = [push.seconds, pull.seconds, statuses.median].map { $0 / Double(records) }
      if let smaller {
        for (what, (cost, limit)) in zip(["push", "pull", "status"], zip(costs, smaller.costs)) {
          bench.add(
            Row(
              what: "\(what) of \(records), a record", values: [cost],
              limit: Row.Limit(what: "a record of \(smaller.records)", values: [limit]),
              bound: .ratio(atMost: 1.25)))
        }
      }
      smaller = (records, costs)
    }
  }

  private func merge(_ bench: Bench) async throws {
    let root = bench.newFolder("merged")
    let sample = SampleLibrary(count: min(500, bench.options.records))
    try sample.write(to: root, synced: true)
    let git = ["git", "-C", root, "-c", "gc.auto=0"]
    func commit(_ branch: String) throws {
      try bench.run(git + ["add", "."])
      try bench.run(git + ["commit", "-q", "-m", branch])
    }
    try bench.run(git + ["init", "-q", "-b", "main"])
    try bench.stories(root, "git", "setup")
    try commit("main")
    for side in 1...2 {
      try bench.run(git + ["checkout", "-q", "-b", "side\(side)", "main"])
      try sample.edit(root, side: side)
      try commit("side\(side)")
    }
    func merge(_ settings: [String]) throws -> Double {
      try bench.run(git + ["checkout", "-q", "-f", "--detach", "side1"])
      return try bench.run(git + settings + ["merge", "-q", "--no-edit", "side2"]).seconds
    }
    // Git calls our driver once per file too. `|| :` is there because lines of JSON conflict.
    let plain = ["json", "sidecar"].flatMap {
      ["-c", "merge.stories-\($0).driver=git merge-file -q %A %O %B || :"]
    }
    try await bench.compare(
      "git merge, \(sample.records.count) records and sidecars changed on both sides", atMost: 6,
      limit: "git merge-file as the driver"
    ) {
      try merge([])
    } against: {
      try merge(plain)
    }
  }

  private func parse(_ bench: Bench) async throws {
    let sample = SampleLibrary(count: 2_000)
    let texts = sample.records.map { RecordFile.newFile($0.fields, references: sample.references) }
    let data = texts.map { Data($0) }
    try await bench.compare(
      "parse and write \(texts.count) records", atMost: 1, limit: "JSONSerialization"
    ) {
      try await seconds {
        for text in texts { _ = try JSONValue(parsing: text).compactBytes }
      }
    } against: {
      try await seconds {
        for text in data {
          _ = try JSONSerialization.data(withJSONObject: JSONSerialization.jsonObject(with: text))
        }
      }
    }
  }
}
