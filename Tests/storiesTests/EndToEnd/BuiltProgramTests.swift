import Foundation
import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// The real program in an environment of its own: what tests within one process cannot see.
@Suite struct BuiltProgramTests {
  @Test func fromNothingToASyncedLibrary() throws {
    let folder = try TemporaryFolder()
    let program = try BuiltProgram(in: folder)
    let version = try program.run("--version").output
    #expect(version == ProgramVersion.line + "\n")
    #expect(try program.run("status").code == 2)
    #expect(try program.run("init", "lib").code == 0)
    let new = try program.run("-C", "lib", "new", "hero", "Luna")
    #expect(new.output == "lib/heroes/luna.json\n")
    #expect(try program.run("-C", "lib", "status", "--exit-code").code == 10)
    let push = try program.run("-C", "lib", "sync", "push")
    #expect(push.code == 0, "\(push.errors)")
    #expect(push.output.contains("created  heroes/luna"))
    let again = try program.run("-C", "lib", "sync", "push", "--json")
    #expect(again.output.contains("\"created\": []"))
    #expect(try program.run("-C", "lib", "status", "--exit-code").code == 0)
    #expect(try program.run("-C", "lib", "check").code == 0)
  }

  @Test func misuseEndsWith2() throws {
    let folder = try TemporaryFolder()
    let program = try BuiltProgram(in: folder)
    let result = try program.run("stauts")
    #expect(result.code == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("Error: unknown command “stories stauts”\nHint: "))
  }

  /// What is repaired would be another name.
  @Test func argumentsAreUTF8() throws {
    let folder = try TemporaryFolder()
    let library = try BuiltProgram(in: folder)
    _ = try library.run("init", ".")
    let result = try library.shell(#"$stories new hero "$(printf 'J\374rgen')""#)
    #expect(result.code == 2)
    #expect(result.errors.hasPrefix("Error: an argument is not valid UTF-8: “J\u{FFFD}rgen”\n"))
    #expect(try !folder.files().contains { $0.hasSuffix("rgen.json") })
  }

  /// `stories help | head -1`: the reader goes away, and that is nobody's error.
  @Test func aClosedPipeEndsQuietly() throws {
    let folder = try TemporaryFolder()
    let library = try BuiltProgram(in: folder)
    _ = try library.run("init", ".")
    // A line for each trait: more than any pipe holds.
    let traits = Array(repeating: "\"\"", count: 4_000).joined(separator: ",")
    try folder.write(
      "{\"name\": \"A\", \"age\": 7, \"traits\": [\(traits)]}", to: "heroes/a.json")
    let result = try library.shell("{ $stories check; echo \"code $?\" >&2; } | head -1")
    #expect(result.output.split(separator: "\n").count == 1)
    #expect(result.errors == "code 1\n")
  }

  @Test func serverPrintsItsAddressAndEndsWhenAsked() throws {
    let folder = try TemporaryFolder()
    let program = try BuiltProgram(in: folder)
    for number in [SIGINT, SIGTERM] {
      let server = try program.start(["serve", "--port", "0", "--data", "data"])
      let url = try #require(server.firstLine())
      #expect(url.hasPrefix("http://127.0.0.1:"))
      let health = try curl("\(url)/api/health", in: folder)
      #expect(health.contains("\"status\":\"healthy\""))
      server.signal(number)
      let result = server.wait()
      #expect(result.code == 0)
      #expect(result.output == url + "\n")
      #expect(result.errors.contains("Data: data\n"))
    }
  }

  private func curl(_ url: String, in folder: TemporaryFolder) throws -> String {
    let running = try RunningProgram(
      ProgramStart(
        words: ["/usr/bin/env", "curl", "--silent", "--max-time", "20", url],
        environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"], folder: folder.path))
    running.send("")
    return running.wait().output
  }
}
