import TestSupport
import Testing

@testable import stories

/// Output for `LC_ALL=C`.
@Suite struct PlainASCIITests {
  @Test(arguments: [
    (["LC_ALL": "C"], true), (["LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"], true),
    (["LC_CTYPE": "C", "LANG": "de_DE.UTF-8"], true), (["LC_ALL": "", "LANG": "C"], true),
    (["LC_ALL": "C.UTF-8", "LANG": "C"], false), (["LANG": "de_DE.UTF-8"], false), ([:], false),
  ])
  func theLocaleOfCharactersDecides(environment: [String: String], isWanted: Bool) {
    #expect(PlainASCII.isWanted(environment) == isWanted)
  }

  @Test(arguments: [
    ("plain", "plain"), ("“Luna” …", "\"Luna\" ..."), ("Zoë → 雪", "Zo\\u{eb} -> \\u{96ea}"),
    ("🦊", "\\u{1f98a}"),
  ])
  func signsBecomeSimilarOnesAndLettersEscapes(text: String, plain: String) {
    #expect(PlainASCII.text(text) == plain)
  }

  @Test func jsonKeepsItsMeaning() {
    #expect(PlainASCII.json(#"{"a":"Zoë 🦊"}"#) == #"{"a":"Zo\u00eb \ud83e\udd8a"}"#)
  }

  /// Columns are measured in what is written.
  @Test func tablesStayAligned() {
    let run = lines { output in
      var table = Table(indent: 0)
      table.add("Zoë", "one")
      table.add("Al", "two")
      table.write(to: output)
    }
    #expect(run == ["Zo\\u{eb}  one", "Al        two", ""])
  }

  private func lines(_ write: (Output) -> Void) -> [String] {
    let text = Box("")
    var output = Output(
      sink: OutputSink(isBuffered: false) { bytes in
        text.change { $0 += String(decoding: bytes, as: UTF8.self) }
        return 0
      }, isTerminal: false, width: 80)
    output.isASCII = true
    write(output)
    return text.value.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Every page of help, and what commands say of names and texts that are not ASCII.
  @Test func theProgramWritesNothingElse() throws {
    let folder = try TemporaryFolder()
    var program = try BuiltProgram(in: folder)
    program.environment["LC_ALL"] = "C"
    #expect(try program.run("init", ".").code == 0)
    try folder.write(#"{"name":"Zoë 雪","age":7,"traits":["mutig…"]}"#, to: "heroes/zoë.json")
    try folder.write(
      #"{"title":"Café","hero":"zoë","content":["« Très tard »"]}"#, to: "stories/café.json")
    let lines: [[String]] =
      [
        ["list"], ["status"], ["status", "--json"], ["show", "zoë"], ["diff"], ["check"],
        ["sync", "--dry-run"], ["sync"], ["log"], ["doctor"], ["config"], ["shwo"], ["show", "lü"],
        ["config", "set", "retry", "…"], ["new", "hero", "Zoë", "--dry-run"], ["read", "café"],
        ["stats"], ["search", "käse"], ["conflicts"], ["why", "zoë"], ["engine"], ["remote"],
        ["schedule", "install", "--with", "systemd", "--dry-run"], ["check", "--json"],
        ["push", "é"], ["-C", "ü", "status"], ["status", "--set", "ü=1"], ["schema", "heroes"],
        ["whoami", "--server", "http://127.0.0.1:1/é"], ["help", "--json"], ["rm", "zoë"],
        ["undo", "--dry-run"], ["completions", "bash"], ["completions", "zsh"],
        ["completions", "fish"],
      ] + StoriesCommand.subcommands.map { ["help", $0.name] }
    for words in lines {
      let result = try program.run(words)
      #expect(result.bytes.allSatisfy { $0 < 0x80 }, "\(words) \(result.output)")
      #expect(result.errors.utf8.allSatisfy { $0 < 0x80 }, "\(words) \(result.errors)")
    }
    #expect(try program.run("show", "zoë", "--json").output.contains(#""Zo\u00eb \u96ea""#))
    #expect(try folder.read("heroes/zoë.json").contains("Zoë 雪"))
  }
}
