import JSONText
import StoryAPI
import StoryLibrary
import StoryServer

/// Sending new records.
enum PushArea: Area {
  static let name = "push"
  static let summary = "sending new records, against the bare requests and writes"

  static func measure(_ bench: Bench) async throws {
    let count = Self.count(bench)
    var served: Served?
    defer { served?.end() }
    var root = ""
    bench.add(
      try await bench.compare(
        Self.self, "sync push, \(count) new records in batches", bound: .ratio(atMost: 1.5),
        limit: "reads + bare batches + sidecar writes", rounds: rounds(bench), warmUp: false
      ) {
        served?.end()
        let server = try Served(bench)
        served = server
        root = bench.newFolder("new")
        try SampleTree.makeNew(root, records: count, server: server.url)
        try server.signUp(bench, root)
        try bench.settle()
        return try bench.stories(root, "sync", "push").seconds
      } against: {
        guard let served else { return 0 }
        let bare = try await served.bare("bare")
        let batches = bare.batches(try await bare.creates(count))
        let files = try RawTree.files(root)
        let records = files.filter { !$0.contains("/.sync/") }
        let reads = RawTree.readAll(records)
        let sends = try await Bench.seconds { _ = try await bare.sendAll(batches) }
        let writes = try writeAgain(files.filter { $0.contains("/.sync/") }, of: root, bench)
        return reads + sends + writes
      })
    try await measureSingles(bench)
  }

  /// How many records are pushed and pulled: the growth of larger libraries is an area of its own.
  static func count(_ bench: Bench) -> Int { min(5_000, bench.options.records) }

  /// How often the long measurements are made.
  static func rounds(_ bench: Bench) -> Int { max(1, min(3, bench.options.rounds)) }

  /// One request a record, to a server without batches, in this process: `serve` has no switch for
  /// that.
  private static func measureSingles(_ bench: Bench) async throws {
    let count = Self.count(bench)
    var options = ServerOptions(dataFolder: bench.newFolder("plain"))
    options.features.remove(.batch)
    let server = try StoryServer(options: options)
    try server.start()
    defer { server.stop() }
    var number = 0
    /// The requests of a push by an account of its own.
    func requests() async throws -> (BareClient, [HTTPRequest]) {
      number += 1
      let token = try server.issueToken(email: "bare-\(number)@example.org").token
      let bare = BareClient(url: server.url, transport: URLSessionTransport(), token: token)
      return (bare, bare.singles(try await bare.creates(count)))
    }
    func sendBare() async throws -> Double {
      let (bare, requests) = try await requests()
      return try await Bench.seconds { _ = try await bare.sendAll(requests, width: 6) }
    }
    let row = try await bench.compare(
      Self.self, "sync push, \(count) new records one by one", bound: .ratio(atMost: 1.2),
      limit: "bare requests, 6 at a time", rounds: rounds(bench), warmUp: false
    ) {
      let root = bench.newFolder("new")
      try SampleTree.makeNew(root, records: count, server: server.url)
      try bench.stories(
        root, "sign-up", "--email", "\(Path.name(root))@example.org", "--password-stdin",
        input: "a long password\n")
      try bench.settle()
      return try bench.stories(root, "sync", "push").seconds
    } against: {
      try await sendBare()
    }
    bench.add(row)
    let bareRow = try await bench.compare(
      Self.self, "the bare requests of it", bound: .none,
      limit: "curl --parallel, 6 at a time", rounds: rounds(bench), warmUp: false
    ) {
      try await sendBare()
    } against: {
      let (_, requests) = try await requests()
      return try RawRequests.send(requests, width: 6, bench)
    }
    bench.add(bareRow)
  }

  /// Writes files of a library once more, somewhere else.
  static func writeAgain(_ files: [String], of root: String, _ bench: Bench) throws -> Double {
    let copy = bench.newFolder("copy")
    var contents: [(path: String, bytes: [UInt8])] = []
    for file in files {
      let path = String(file.dropFirst(root.count + 1))
      try FileSystem.makeFolder(Path.join(copy, Path.parent(path)))
      contents.append((path, try FileSystem.read(file)))
    }
    try bench.settle()
    return try RawTree.writeBatches(contents, in: copy)
  }
}
