import JSONText
import StoryServer
import TestSupport
import Testing

@testable import stories

/// Heads of answers that Foundation on Linux does not survive: one that is cut off, and one with a
/// length near 2^63. No program can look at a head before Foundation does, so what counts is that the
/// crash costs nothing: the next run ends as if nothing had happened.
@Suite(.inTurn) struct BrokenHeadTests {
  @Test func `nothing is changed and nothing is lost`() async throws {
    let server = try ScriptedServer { request, _ in
      request.target == "/api/health"
        ? .answer(200, #"{"data":{"status":"healthy","version":"1"}}"#)
        : .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: ".utf8), closes: true)
    }
    let folder = try TemporaryFolder()
    var program = try BuiltProgram(in: folder)
    program.environment["STORIES_RETRY"] = "0"
    program.environment["STORIES_TOKEN"] = "marked-token"
    program.environment["STORIES_SERVER"] = server.url
    let start = program
    #expect(try start.run("init", "lib").code == 0)
    try folder.write(SampleLibrary.luna, to: "lib/heroes/luna.json")
    let run = try start.run("-C", "lib", "sync")
    #expect(run.code != 0)
    #expect(!(run.output + run.errors).contains("marked-token"))
    #expect(try folder.read("lib/heroes/luna.json") == SampleLibrary.luna)
    #expect(!folder.exists("lib/heroes/.sync/luna.json"))
    // A server that is well: the same command does what it should.
    let well = try TestServer()
    program.environment["STORIES_TOKEN"] = try well.token()
    program.environment["STORIES_SERVER"] = well.url
    let next = program
    let again = try next.run("-C", "lib", "sync")
    #expect(again.code == 0, "\(again.errors)")
    #expect(try well.names(.heroes) == ["Luna"])
  }

  /// A library with a new, an edited and a deleted record, and a server that carries a request out and
  /// answers it with a length that nothing has.
  @Test(arguments: ["GET", "POST", "PATCH", "DELETE"], [true, false])
  func `a crash at any answer loses and doubles nothing`(
    _ method: String, _ hasFeatures: Bool
  ) async throws {
    let served = try ServedLibraries { options in
      if !hasFeatures { options.features = [] }
    }
    let program = try served.program("lib")
    try served.writeHeroes(1...3, in: "lib")
    #expect(try program.run("sync").code == 0)
    try served.writeHeroes(4...4, in: "lib")
    let text = try served.folder.read("lib/heroes/hero-1.json")
    try served.folder.write(
      text.replacing("\"age\": 7", with: "\"age\": 8"), to: "lib/heroes/hero-1.json")
    #expect(try program.run("rm", "heroes/hero-2").code == 0)
    served.server.server.addFault(
      FaultRule(
        .answerAfterHandling(
          status: 200, headers: ["Content-Length": "9223372036854775807"],
          body: Array(repeating: 32, count: 10)),
        method: method, path: method == "POST" ? nil : "/api/heroes*", number: 1))
    let run = try program.run("sync")
    #expect(run.code != 0, "\(run.errors)")
    served.server.server.removeFaults()
    let next = try program.run("sync")
    #expect(next.code == 0, "\(next.errors)")
    #expect(try served.heroes() == ["Hero 1", "Hero 3", "Hero 4"])
    #expect(try served.server.record(.heroes, "Hero 1")?["age"] == 8)
    _ = served.server.takeMethods()
    #expect(try program.run("sync").code == 0)
    #expect(Set(served.server.takeMethods()) == ["GET"])
  }
}
