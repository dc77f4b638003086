import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// Whatever a server sends, the program takes no more than 200 MB and says what is wrong.
@Suite(.firstInTurn, .serialized) struct HostileServerTests {
  struct Attack: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The exit code.
    var code: Int32
    /// What the error says.
    var message: String
    var reply: ScriptedServer.Reply
    var environment: [String: String] = [:]
  }

  private static let success = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
  private static let failure = "HTTP/1.1 500 Sorry\r\nContent-Type: application/json\r\n"
  private static let spaces = [UInt8](repeating: 32, count: 1 << 20)
  /// 1 GB, should it all be read.
  private static let many = 1_000
  /// Before each MiB: a server that only sends would take the processor from the other tests.
  private static let pause = Duration.milliseconds(2)

  /// A body just below the limit that begins with `start` and then repeats `piece`. No value takes more room
  /// than an object with one member.
  private static func body(_ start: String, _ piece: String) -> ScriptedServer.Reply {
    let count = ((12 << 20) - start.utf8.count - 8) / piece.utf8.count
    return .answer(200, bytes: Array((start + String(repeating: piece, count: count)).utf8))
  }

  static let attacks: [Attack] = [
    Attack(
      testDescription: "a body without end", code: 6, message: "larger than 12 MiB",
      reply: .stream(head: success + "\r\n", piece: spaces, times: many, pause: pause)),
    Attack(
      testDescription: "a body that unpacks to 160 times its size", code: 6,
      message: "larger than 12 MiB",
      reply: .stream(
        head: success + "Content-Encoding: gzip\r\n\r\n", piece: EndlessGzip.bytes(pieces: 80),
        times: 1)),
    Attack(
      testDescription: "an error without end", code: 6, message: "larger than 1 MiB",
      reply: .stream(head: failure + "\r\n", piece: spaces, times: many, pause: pause)),
    Attack(
      testDescription: "objects", code: 1, message: "more than 500000 values",
      reply: body(#"{"data":[0"#, #",{"a":0}"#)),
    Attack(
      testDescription: "one long text", code: 1, message: "no JSON",
      reply: body(#"{"data":[""#, #"\u00e9"#)),
    Attack(
      testDescription: "header fields without end", code: 6, message: "",
      reply: .stream(
        head: "HTTP/1.1 200 OK\r\n",
        piece: Array("X-A: \(String(repeating: "x", count: 1_000))\r\n".utf8), times: 500_000)),
    Attack(
      testDescription: "a redirect without end", code: 6, message: " did not begin ",
      reply: .stream(
        head: "HTTP/1.1 302 Found\r\nLocation: /b\r\n\r\n", piece: spaces, pause: pause),
      environment: ["STORIES_REQUEST_TIMEOUT": "1s"]),
  ]

  @Test(arguments: attacks)
  func `takes no more than 200 MB`(_ attack: Attack) async throws {
    let server = try ScriptedServer { request, _ in
      switch request.target {
      case "/api/health": .answer(200, #"{"data":{"status":"healthy","version":"1"}}"#)
      case "/api/user/profile": .answer(200, #"{"data":{"id":"u","email":"a@example.org"}}"#)
      default: attack.reply
      }
    }
    let folder = try TemporaryFolder()
    var program = try BuiltProgram(in: folder)
    program.environment["STORIES_RETRY"] = "0"
    program.environment["STORIES_TOKEN"] = "marked-token"
    program.environment["STORIES_SERVER"] = server.url
    program.environment.merge(attack.environment) { $1 }
    let start = program
    #expect(try start.run("init", "lib").code == 0)
    try folder.write(SampleLibrary.luna, to: "lib/heroes/luna.json")
    let running = try start.start(["-C", "lib", "sync"])
    running.send("")
    let (peak, result) = (running.peakMemory(), running.wait())
    print("\(attack.testDescription): \(peak >> 20) MiB")
    #expect(peak > 0 && peak <= 200 << 20)
    #expect(result.code == attack.code, "\(result.errors)")
    #expect(result.errors.contains(attack.message), "\(result.errors)")
    #expect(try folder.read("lib/heroes/luna.json") == SampleLibrary.luna)
    withExtendedLifetime(server) {}
  }
}
