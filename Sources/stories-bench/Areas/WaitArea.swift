import StoryLibrary
import StoryServer

/// What waiting for a slow server costs.
enum WaitArea: Area {
  static let name = "wait"
  static let summary = "processor time while a server takes two seconds for an answer"

  static func measure(_ bench: Bench) async throws {
    let server = try StoryServer(options: ServerOptions(dataFolder: bench.newFolder("plain")))
    try server.start()
    defer { server.stop() }
    let root = bench.newFolder("slow")
    // More than libcurl sends in one go.
    try SampleTree.makeNew(root, records: 100, server: server.url)
    try bench.stories(
      root, "sign-up", "--email", "slow@example.org", "--password-stdin",
      input: "a long password\n")
    try bench.stories(root, "sync")
    var number = 0
    func push() throws -> Double {
      number += 1
      for path in try RawTree.files(Path.join(root, "stories")) where !path.contains("/.sync/") {
        let text = String(decoding: try FileSystem.read(path), as: UTF8.self)
        let edited = text.replacing(
          "\n  \"content\": [\n    \"", with: "\n  \"content\": [\n    \"\(number) ")
        try RawTree.write(Array(edited.utf8), to: path)
      }
      return try bench.stories(root, "sync", "push").processorSeconds
    }
    bench.add(
      try await bench.compare(
        Self.self, "processor time, a push that is answered after 2 s", bound: .none,
        limit: "the same, answered at once"
      ) {
        let slow = server.addFault(
          FaultRule(.delay(milliseconds: 2_000), method: "POST", path: "*/batch"))
        defer { server.removeFault(slow) }
        return try push()
      } against: {
        try push()
      })
  }
}
