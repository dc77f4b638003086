import JSONText
import StoryAPI
import StoryLibrary

/// Fetching records into an empty library.
enum PullArea: Area {
  static let name = "pull"
  static let summary = "fetching all records, against the bare pages and writes"

  static func measure(_ bench: Bench) async throws {
    let server = try Served(bench)
    defer { server.end() }
    let source = bench.newFolder("source")
    let count = PushArea.count(bench)
    try SampleTree.makeNew(source, records: count, server: server.url)
    try server.signUp(bench, source)
    try bench.stories(source, "sync", "push")
    let token = try token(bench, server)
    let bare = BareClient(url: server.url, transport: server.transport, token: token)
    let pages = try await bare.pages()
    var root = ""
    bench.add(
      try await bench.compare(
        Self.self, "sync pull of \(count) records into an empty library",
        bound: .ratio(atMost: 1.5),
        limit: "bare pages + parse + writes", rounds: PushArea.rounds(bench), warmUp: false
      ) {
        root = bench.newFolder("pulled")
        try SampleTree.makeNew(root, records: 0, server: server.url)
        try bench.settle()
        return try bench.stories(root, "sync", "pull").seconds
      } against: {
        var bodies: [[UInt8]] = []
        let fetches = try await Bench.seconds { bodies = try await bare.sendAll(pages) }
        let parses = try Bench.seconds { for body in bodies { _ = try JSONValue(parsing: body) } }
        let files = try RawTree.files(root).filter { Path.name($0) != "library.json" }
        return fetches + parses + (try PushArea.writeAgain(files, of: root, bench))
      })
    bench.add(
      try await bench.compare(
        Self.self, "the bare pages of it", bound: .none, limit: "curl, one at a time",
        rounds: PushArea.rounds(bench)
      ) {
        try await Bench.seconds { _ = try await bare.sendAll(pages) }
      } against: {
        try RawRequests.send(pages, width: 1, bench)
      })
  }

  /// The token that the program keeps for a server: its session is the library's.
  private static func token(_ bench: Bench, _ server: Served) throws -> String {
    let folder = Path.join(bench.folder, "home")
    for path in try RawTree.files(folder) {
      guard let value = try? JSONValue(parsing: FileSystem.read(path)),
        let found = find(value, under: server.url)
      else { continue }
      return found
    }
    throw BenchOptions.Problem(description: "no session is kept for \(server.url)")
  }

  private static func find(_ value: JSONValue, under url: String) -> String? {
    for member in value.object?.members ?? [] {
      if url.hasPrefix(member.key), let token = member.value["token"]?.string { return token }
      if let found = find(member.value, under: url) { return found }
    }
    return nil
  }
}
