import Foundation
import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// The pager and the player of `read`, with the program as it was built, at a terminal.
@Suite(.inTurn) struct BuiltReadTests {
  private let library: SampleLibrary

  init() throws {
    library = try SampleLibrary()
    try write((1...40).map { "Line \($0)." }, to: "stories/long.json")
  }

  private func write(_ lines: [String], to path: String) throws {
    let record: JSONObject = [
      "title": "Long", "hero": "luna", "content": .array(lines.map { .string($0) }),
    ]
    try library.folder.write(JSONValue.object(record).fileBytes(), to: path)
  }

  /// Runs `read` at a terminal; returns the exit code, what was shown, and how often the story was read.
  private func read(
    _ name: String, _ options: [String] = [], _ environment: [String: String]
  ) throws -> (code: Int32, shown: String, count: Int) {
    var program = try BuiltProgram(in: library.folder)
    program.environment["OUT"] = library.folder.path("out")
    program.environment.merge(environment) { $1 }
    let terminal = try PseudoTerminal()
    let result = try program.start(["read", name] + options, at: terminal).wait()
    let record = try JSONValue(parsing: library.folder.bytes("stories/\(name).json"))
    return (result.code, terminal.shown(), record["playCount"]?.integer ?? 0)
  }

  @Test func `a long story is shown in the pager and counted`() throws {
    let result = try read("long", ["-q"], ["PAGER": "cat > $OUT; echo \"LESS=$LESS\" >> $OUT"])
    #expect(result.code == 0 && result.count == 1 && result.shown == "")
    let text = (1...40).map { "Line \($0).\n" }.joined()
    #expect(try library.folder.read("out") == "Long\n\n" + text + "LESS=FRX\n")
    let own = try read("long", [], ["PAGER": "cat >/dev/null; echo $LESS > $OUT", "LESS": "R"])
    #expect(own.count == 2 && own.shown.contains("Read 2 times."))
    #expect(try library.folder.read("out") == "R\n")
    let uncounted = try read("long", ["--no-count"], ["PAGER": "cat > $OUT"])
    #expect(uncounted.code == 0 && uncounted.count == 2)
  }

  @Test(
    arguments: [
      ("closed by a signal", "long", "cat >/dev/null; kill -TERM $$", 0, 0),
      ("closed before it took the text", "huge", "head -c 10 >/dev/null", 0, 0),
      ("that takes a long text", "huge", "cat >/dev/null", 0, 1),
      ("that fails", "long", "cat >/dev/null; exit 3", 1, 0),
      ("that is not installed", "long", "/no/such/pager 2>/dev/null", 0, 1),
    ] as [(String, String, String, Int32, Int)])
  func `a pager`(
    _ what: String, _ name: String, _ pager: String, _ code: Int32, _ count: Int
  ) throws {
    if name == "huge" {
      try write(
        Array(repeating: String(repeating: "snow ", count: 200), count: 1_000),
        to: "stories/huge.json")
    }
    let result = try read(name, ["-q"], ["PAGER": pager])
    #expect(result.code == code && result.count == count, "\(what): \(result.shown)")
    #expect(result.shown.contains("failed") == (code == 1))
  }

  @Test(
    arguments: [
      (["--no-pager"], ["PAGER": "exit 9"]), ([], ["PAGER": ""]), ([], ["PAGER": "cat"]),
      ([], ["PATH": "/no/such/folder"]),
    ] as [([String], [String: String])])
  func `without a pager it is printed`(
    _ options: [String], _ environment: [String: String]
  ) throws {
    let result = try read("long", options, environment)
    #expect(result.code == 0 && result.count == 1)
    #expect(result.shown.contains("Line 40.\r\nRead 1 time.\r\n"))
  }

  @Test func `a short story needs no pager`() throws {
    try write(["Once."], to: "stories/short.json")
    let result = try read("short", [], ["PAGER": "exit 9"])
    #expect(result.code == 0 && result.count == 1)
    #expect(result.shown == "Long\r\n\r\nOnce.\r\nRead 1 time.\r\n")
  }

  @Test func `the narration on this machine is played`() async throws {
    try write(["Once."], to: "stories/short.json")
    try await library.push()
    // As if the server had made a narration and `media pull` had fetched it.
    let sidecar = "stories/.sync/short.json"
    let document = try JSONValue(parsing: library.folder.bytes(sidecar))
    var object = try #require(document.object)
    var server = object["server"]?.object ?? JSONObject()
    server["audioUrl"] = "/media/x.wav"
    object["server"] = .object(server)
    try library.folder.write(JSONValue.object(object).fileBytes(), to: sidecar)
    let bin = library.folder.path("bin")
    try library.folder.write("#!/bin/sh\necho \"$@\" > $OUT\n", to: "bin/mpv")
    try library.folder.setMode("bin/mpv", 0o755)
    let environment = ["PATH": bin + ":/usr/bin:/bin", "STORIES_SPEECH_PROGRAM": "piper"]
    let missing = try read("short", ["--aloud"], environment)
    #expect(missing.code == 1 && missing.shown.contains("piper is not installed"))
    let id = try #require(object["id"]?.string)
    let media = await CommandSetting(library.folder).run("show", "short", "--media", "--json").json
    #expect(media?["missing"] == ["stories/short"])
    let version = try version(of: server)
    let file = ".stories/media/audio/short.\(id).\(version).wav"
    try library.folder.write(SampleSound.wav(), to: file)
    let result = try read("short", ["--aloud"], environment)
    #expect(result.code == 0 && result.count == 1)
    #expect(
      try library.folder.read("out")
        == "--no-video --really-quiet \(library.folder.path(file))\n")
    let json = await CommandSetting(library.folder).run("read", "short", "--json").json
    #expect(json?["narration"] == .string(library.folder.path(file)))
    let own = try read(
      "short", ["--aloud"], environment.merging(["STORIES_PLAYER": "echo own >$OUT;:"]) { $1 })
    #expect(own.code == 0 && own.count == 2)
    #expect(try library.folder.read("out") == "own\n")
  }

  private func version(of server: JSONObject) throws -> String {
    let values = [server["audioUrl"] ?? .null, server["audioDuration"] ?? .null]
    return String(ContentDigest(JSONValue.array(values).compactBytes).description.prefix(8))
  }
}
