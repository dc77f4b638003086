import StoryServer
import TestSupport
import Testing

@testable import stories

/// An answer whose head is cut off: Foundation on Linux ends the program there, so what counts is that
/// it changes nothing and that the next run goes on.
@Suite struct BrokenHeadTests {
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
    #expect(try await onThread { try start.run("init", "lib").code } == 0)
    try folder.write(SampleLibrary.luna, to: "lib/heroes/luna.json")
    let run = try await onThread { try start.run("-C", "lib", "sync") }
    #expect(run.code != 0)
    #expect(!(run.output + run.errors).contains("marked-token"))
    #expect(try folder.read("lib/heroes/luna.json") == SampleLibrary.luna)
    #expect(!folder.exists("lib/heroes/.sync/luna.json"))
    // A server that is well: the same command does what it should.
    let well = try TestServer()
    program.environment["STORIES_TOKEN"] = try well.token()
    program.environment["STORIES_SERVER"] = well.url
    let next = program
    let again = try await onThread { try next.run("-C", "lib", "sync") }
    #expect(again.code == 0, "\(again.errors)")
    #expect(try well.names(.heroes) == ["Luna"])
  }
}
