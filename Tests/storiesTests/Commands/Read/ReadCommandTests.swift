import Foundation
import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct ReadCommandTests {
  private static let plain = """
    The First Snow

    Luna woke up and the window was white.

    It came at night, whispered the cat.

    She did not stop for socks.

    """

  /// A setting with a terminal and no programs.
  private func terminal(_ library: SampleLibrary) -> CommandSetting {
    var setting = CommandSetting(library.folder)
    setting.isTerminal = true
    setting.environment = ["NO_COLOR": "1", "PATH": library.folder.path("bin")]
    setting.childEnvironment = ["PATH": library.folder.path("bin")]
    return setting
  }

  /// Makes a program of a shell script.
  private func script(_ library: SampleLibrary, _ name: String, _ text: String) throws {
    try library.folder.write("#!/bin/sh\n\(text)\n", to: "bin/" + name)
    try library.folder.setMode("bin/" + name, 0o755)
  }

  @Test func `without a terminal it prints and counts nothing`() async throws {
    let library = try SampleLibrary()
    let result = await library.run("read", "first-snow")
    #expect(result.code == .done && result.output == Self.plain && result.errors == "")
    #expect(try library.folder.read("stories/2026/first-snow.json") == SampleLibrary.snow)
    let counted = await library.run("read", "first-snow", "--count")
    #expect(counted.output == Self.plain)
    #expect(
      try library.folder.read("stories/2026/first-snow.json")
        == SampleLibrary.snow.replacing("  ]\n}", with: "  ],\n  \"playCount\": 1\n}"))
  }

  @Test func `on a terminal a short story is printed, wrapped and counted`() async throws {
    let library = try SampleLibrary()
    var setting = terminal(library)
    setting.width = 40
    let words = String(repeating: "snow ", count: 30)
    try library.folder.edit("stories/2026/first-snow.json", "It came at night", to: words)
    let result = await setting.run("read", "first-snow")
    #expect(result.code == .done && result.errors == "Read 1 time.\n")
    #expect(result.lines.allSatisfy { $0.count <= 40 } && result.lines.count > 9)
    _ = await setting.run("read", "first-snow", "--no-count")
    #expect(await setting.run("read", "first-snow").errors == "Read 2 times.\n")
  }

  @Test func `a reading is an edit that the next push sends`() async throws {
    let library = try SampleLibrary()
    try await library.push()
    _ = await terminal(library).run("read", "first-snow")
    let status = await library.run("status", "--porcelain=v1")
    #expect(status.output == "M. stories/2026/first-snow\tplayCount\n")
  }

  @Test func `the document has the parts of the story`() async throws {
    let library = try SampleLibrary()
    let json = await library.run("read", "first-snow", "--json").json
    #expect(
      json == [
        "schema": "stories.read/1", "ref": "stories/2026/first-snow", "title": "The First Snow",
        "language": "en", "hero": "luna",
        "paragraphs": [
          "Luna woke up and the window was white.", "It came at night, whispered the cat.",
          "She did not stop for socks.",
        ], "narration": nil, "counted": false,
      ])
    let counted = await terminal(library).run("read", "first-snow", "--json", "--count").json
    #expect(counted?["counted"] == true)
  }

  @Test func `what cannot be read is said`() async throws {
    let library = try SampleLibrary()
    try library.folder.write(#"{"title": "T", "hero": "luna"}"#, to: "stories/draft.json")
    try library.folder.write("{", to: "stories/bad.json")
    let draft = await library.run("read", "draft")
    #expect(draft.code == .failed)
    #expect(
      draft.errors
        == "Error: stories/draft has no text yet\nHint: write it: stories edit stories/draft\n")
    let bad = await library.run("read", "stories/bad")
    #expect(bad.errors.hasPrefix("Error: stories/bad.json:1:2: "))
    let hero = await library.run("read", "luna")
    #expect(hero.code == .wrongUsage && hero.errors.contains("there is no story “luna”"))
    #expect(hero.errors.contains("Hint: heroes/luna is a hero\n"))
    let both = await library.run("read", "draft", "--count", "--no-count")
    #expect(both.code == .wrongUsage)
  }

  @Test func `a reading that cannot be counted is a failure only with --count`() async throws {
    let library = try SampleLibrary()
    try library.folder.edit("stories/2026/first-snow.json", "\"luna\"", to: "\"nobody\"")
    let result = await terminal(library).run("read", "first-snow")
    #expect(result.code == .done && result.output == Self.plain)
    #expect(result.errors.hasPrefix("The reading was not counted: "))
    let counted = await library.run("read", "first-snow", "--count", "--json")
    #expect(counted.code == .failed && counted.json?["counted"] == false)
    #expect(counted.errors.hasPrefix("The reading was not counted: "))
  }

  @Test func `without its pager a long story is printed`() async throws {
    let library = try SampleLibrary()
    let words = String(repeating: "snow ", count: 2_000)
    try library.folder.edit("stories/2026/first-snow.json", "It came at night", to: words)
    var setting = terminal(library)
    setting.environment["PAGER"] = library.folder.path("bin/none") + " 2>/dev/null"
    let result = await setting.run("read", "first-snow")
    #expect(result.code == .done && result.output.contains("She did not stop for socks."))
    #expect(result.errors.contains("Warning: the pager “") && result.errors.contains("Read 1 time"))
  }

  @Test func `control characters are shown`() async throws {
    let library = try SampleLibrary()
    try library.folder.edit("stories/2026/first-snow.json", "white", to: "\\u001b[2Jwhite")
    #expect(await library.run("read", "first-snow").output.contains("\\u{1b}[2Jwhite"))
    let shown = await terminal(library).run("read", "first-snow").output
    #expect(shown.contains("\\u{1b}[2Jwhite") && !shown.contains("\u{1B}"))
  }

  // MARK: Aloud

  @Test func `without narration, engine or player it says what to do`() async throws {
    let library = try SampleLibrary()
    let setting = terminal(library)
    let none = await setting.run("read", "first-snow", "--aloud")
    #expect(none.code == .failed)
    #expect(
      none.errors == """
        Error: there is no narration of stories/2026/first-snow on this machine, and no
        engine that reads aloud
        Hint: install espeak-ng, or set an engine:
          stories engine set speech --url URL --model NAME

        """)
    try script(library, "espeak-ng", "exit 0")
    let mute = await setting.run("read", "first-snow", "--aloud")
    #expect(mute.errors.contains("Error: no program on this machine plays WAV files\n"))
    try script(library, "aplay", "exit 0")
    let silent = await setting.run("read", "first-snow", "--aloud")
    #expect(silent.code == .failed)
    #expect(silent.errors.contains("Error: espeak-ng cannot read this with the voice “en”"))
    #expect(try library.folder.read("stories/2026/first-snow.json") == SampleLibrary.snow)
  }

  @Test func `the engine's narration is played and counted`() async throws {
    let library = try SampleLibrary()
    try library.folder.write(SampleSound.wav(), to: "sound.wav")
    let setting = terminal(library)
    // The file is the argument after -w.
    try script(
      library, "espeak-ng",
      "/bin/cat > \(library.folder.path("said")); /bin/cp \(library.folder.path("sound.wav")) \"$6\""
    )
    let unplayed = await setting.run("read", "first-snow", "--aloud")
    #expect(
      unplayed.code == .failed && unplayed.errors.contains("no program on this machine plays"))
    try script(
      library, "aplay",
      "echo \"$1\" > \(library.folder.path("played")); /bin/cmp -s \"$2\" \(library.folder.path("sound.wav"))"
    )
    let result = await setting.run("read", "first-snow", "--aloud")
    // What takes longer than a second shows its progress first.
    #expect(result.code == .done && result.errors.hasSuffix("Read 1 time.\n"))
    #expect(result.output == Self.plain)
    #expect(try library.folder.read("played") == "-q\n")
    #expect(try library.folder.read("said") == Self.plain.dropLast())
    try script(library, "aplay", "echo noise")
    let json = await setting.run("read", "first-snow", "--aloud", "--json").json
    #expect(json?["counted"] == false)
    try script(library, "mpv", "exit 3")
    let failed = await setting.run("read", "first-snow", "--aloud")
    #expect(failed.code == .failed && failed.errors.contains("it exited with status 3"))
  }
}
