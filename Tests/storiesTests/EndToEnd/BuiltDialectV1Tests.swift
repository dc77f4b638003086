import Foundation
import TestSupport
import Testing

@testable import stories

/// The real program on both sides of the second form of the contract.
@Suite struct BuiltDialectV1Tests {
  private let folder: TemporaryFolder
  private let program: BuiltProgram

  init() throws {
    folder = try TemporaryFolder()
    program = try BuiltProgram(in: folder)
  }

  @Test func `from sign-up to a second library`() throws {
    let server = try program.start(["serve", "--port", "0", "--data", "data", "--api", "v1"])
    let url = try #require(server.firstLine())
    for (library, api) in [("a", "v1"), ("b", "auto")] {
      #expect(try program.run("init", library, "--server", url, "--api", api).code == 0)
    }
    let early = try program.run("-C", "a", "sync")
    #expect(early.code == 5 && early.errors.contains("sign in first: stories -C a sign-in"))
    let up = try program.run(
      "-C", "a", "sign-up", "--email", "ada@example.org", "--name", "Ada", "--password-stdin",
      input: "correct horse\n")
    #expect(up.code == 0, "\(up.errors)")
    let wrong = try program.run(
      "-C", "a", "sign-in", "--email", "ada@example.org", "--password-stdin",
      input: "wrong horse\n")
    #expect(wrong.errors.contains("invalid email or password"))
    #expect(try program.run("-C", "b", "whoami").output == "Ada <ada@example.org> at \(url)\n")

    #expect(try program.run("-C", "a", "new", "hero", "Luna").code == 0)
    try folder.write(
      "{\"title\": \"Snow\", \"hero\": \"luna\", \"content\": [\"It came.\"], \"playCount\": 2}",
      to: "a/stories/snow.json")
    let push = try program.run("-C", "a", "sync", "push")
    #expect(push.code == 0, "\(push.errors)")
    #expect(push.output.contains("created  heroes/luna"))
    let pull = try program.run("-C", "b", "sync", "pull")
    #expect(pull.code == 0, "\(pull.errors)")
    #expect(try folder.read("b/stories/snow.json").contains("\"playCount\": 2"))
    for library in ["a", "b"] {
      let quiet = try program.run("-C", library, "sync", "--json")
      #expect(quiet.code == 0)
      #expect(quiet.output.contains("\"created\": []"))
      #expect(try program.run("-C", library, "status", "--exit-code").code == 0)
    }

    #expect(try folder.read("b/.stories/api.json").contains("\"api\": \"v1\""))
    let doctor = try program.run("-C", "b", "doctor")
    #expect(doctor.code == 0, "\(doctor.errors)")
    for text in [
      "api v1", "! Nobody's edit is overwritten", "Not covered: a change made",
      "! Readings add up", "! Every edit arrives", "✓ A quiet sync changes no file",
    ] {
      #expect(doctor.output.contains(text), "\(text) in \(doctor.output)")
    }
    #expect(try program.run("-C", "a", "sign-out").code == 0)
    #expect(try program.run("-C", "a", "whoami").code == 5)
    server.signal(SIGTERM)
    #expect(server.wait().code == 0)
  }

  @Test func `a wrong setting says which one is right`() throws {
    let server = try program.start(["serve", "--port", "0", "--data", "data", "--api", "v1"])
    let url = try #require(server.firstLine())
    #expect(try program.run("init", "a", "--server", url, "--api", "v0").code == 0)
    let run = try program.run(
      "-C", "a", "sign-up", "--email", "ada@example.org", "--password-stdin",
      input: "correct horse\n")
    #expect(run.code != 0)
    #expect(run.errors.contains("speaks the API v1, not v0"), "\(run.errors)")
    #expect(run.errors.contains("set “api” to “v1” or “auto”"), "\(run.errors)")
    server.signal(SIGTERM)
    #expect(server.wait().code == 0)
  }
}
