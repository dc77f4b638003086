import Foundation
import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// Writing by hand with the real program: text in an editor, text from elsewhere, copies.
@Suite struct BuiltWritingTests {
  private let folder: TemporaryFolder
  private var program: BuiltProgram

  init() throws {
    let library = try SampleLibrary()
    folder = library.folder
    program = try BuiltProgram(in: folder)
  }

  private static let story = "stories/2026/first-snow.json"

  /// Lets a shell script be the editor; `$file` is what it edits.
  private mutating func edit(with script: String) throws {
    try folder.write("for file in \"$@\"; do :; done\n" + script + "\n", to: "editor.sh")
    program.environment["EDITOR"] = "sh \(folder.path("editor.sh"))"
  }

  private func json(_ path: String) throws -> JSONValue {
    try JSONValue(parsing: Array(folder.read(path).utf8))
  }

  // MARK: edit --text

  @Test mutating func `a story is edited as text, and only what changed is written`() throws {
    try folder.edit(Self.story, "\"language\": \"en\"", to: "\"language\"  :  \"en\", \"mine\": 1")
    let before = try folder.read(Self.story)
    try edit(with: "cp \"$file\" seen.md; sed -i 's/the cat/the old cat/; s/First/Last/' \"$file\"")
    let run = try program.run("edit", "--text", "first-snow")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "stories/2026/first-snow: no problems.\n")
    #expect(
      try folder.read("seen.md") == """
        ---
        title: The First Snow
        hero: luna
        event: lost-tooth
        language: en
        ---

        Luna woke up and the window was white.

        It came at night, whispered the cat.

        She did not stop for socks.

        """)
    #expect(
      try folder.read(Self.story)
        == before.replacingOccurrences(of: "the cat", with: "the old cat")
        .replacingOccurrences(of: "First", with: "Last"))
    #expect(!folder.exists(".stories/edit"))
  }

  @Test mutating func `nothing is written if nothing changes`() throws {
    let before = try folder.read(Self.story)
    // An editor that is known to wait.
    try folder.write("#!/bin/sh\n", to: "vim")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.path("vim"))
    program.environment["EDITOR"] = folder.path("vim")
    let run = try program.run("edit", "--text", "first-snow", "--json")
    #expect(run.code == 0)
    #expect(
      try JSONValue(parsing: Array(run.output.utf8)) == [
        "schema": "stories.edit/1", "ref": "stories/2026/first-snow", "changed": false,
        "problems": [],
      ])
    #expect(try folder.read(Self.story) == before)
    #expect(!folder.exists(".stories/edit"))
  }

  @Test mutating func `a field that is removed from the text is removed`() throws {
    try edit(with: "sed -i '/^event/d' \"$file\"")
    #expect(try program.run("edit", "--text", "first-snow").code == 0)
    #expect(try json(Self.story)["event"] == nil)
    #expect(try json(Self.story)["hero"] == "luna")
  }

  /// An edit, and the error at its place in the text.
  @Test(arguments: [
    ("s/hero: luna/hero: Otto/", "3:7: error: there is no hero “Otto”"),
    ("s/language: en/language: xx/", "5:11: error: “language” must be one of"),
    ("/^title/d", "1:1: error: “title” is missing"),
    ("s/^language/langage/", "5:1: error: unknown field “langage”\n  Hint: did you mean"),
    ("s/^---$//", "is missing"),
    ("1s/---/---x/;", "is missing"),
    ("s/language: en/language: [/", "5:"),
  ])
  func `a text with an error is kept and not written back`(edit: String, place: String) throws {
    var copy = self
    let before = try folder.read(Self.story)
    try copy.edit(with: "sed -i '\(edit)' \"$file\"; cp \"$file\" seen.md")
    let run = try copy.program.run("edit", "--text", "first-snow")
    #expect(run.code == 1)
    #expect((run.output + run.errors).contains(place), "\(run.output)\(run.errors)")
    #expect(try folder.read(Self.story) == before)
    let words = run.errors.split(separator: " ")
    let kept = try #require(words.last).trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(kept.hasPrefix(".stories/edit/") && kept.hasSuffix("/first-snow.md"), "\(run.errors)")
    #expect(try folder.read(kept) == folder.read("seen.md"))
  }

  @Test(arguments: ["2026/first-snow", "stories/a", "a.b", "UPPER"])
  func `a kept text is written back as it is said`(name: String) throws {
    var copy = self
    let path = "stories/\(name).json"
    if path != Self.story { try folder.write(SampleLibrary.snow, to: path) }
    try copy.edit(with: "sed -i 's/hero: luna/hero: Otto/; s/First/Last/' \"$file\"")
    let run = try copy.program.run("edit", "--text", path)
    #expect(run.code == 1)
    let command = try #require(run.errors.split(separator: "then: stories ").last)
    let words = command.split(whereSeparator: \.isWhitespace).map(String.init)
    let kept = try #require(words.last)
    try folder.edit(kept, "hero: Otto", to: "hero: family/otto")
    #expect(try copy.program.run(words, input: "").code == 0, "\(words)")
    #expect(try json(path)["title"] == "The Last Snow")
    #expect(try json(path)["hero"] == "family/otto")
  }

  @Test mutating func `an emptied text is an error below the front matter`() throws {
    // A new story may be a draft.
    #expect(try program.run("sync").code == 0)
    try edit(with: "sed -i '/^Luna/,$d' \"$file\"")
    let run = try program.run("edit", "--text", "first-snow", "--json")
    #expect(run.code == 1)
    let report = try JSONValue(parsing: Array(run.output.utf8))
    let problem = try #require(report["problems"]?.array?.first)
    #expect(problem["message"] == "“content” must not be empty", "\(run.output)")
    #expect(problem["file"]?.string?.hasSuffix("/first-snow.md") == true, "\(run.output)")
    #expect(problem["line"] == 8, "\(run.output)")
  }

  @Test mutating func `empty lines around a text that was written are left out`() throws {
    try folder.write(
      "{\"title\": \"A\", \"hero\": \"luna\", \"content\": [\"\"]}", to: "stories/a.json")
    try edit(with: "printf '\\nOne.\\n\\nTwo.\\n \\n\\n' >> \"$file\"")
    #expect(try program.run("edit", "--text", "stories/a").code == 0)
    #expect(try json("stories/a.json")["content"] == ["One.", "", "Two."])
    // Those that were there before stay.
    try folder.write(
      "{\"title\": \"A\", \"hero\": \"luna\", \"content\": [\"\", \"One.\", \"\"]}",
      to: "stories/a.json")
    try edit(with: "sed -i 's/One/Two/' \"$file\"")
    #expect(try program.run("edit", "--text", "stories/a").code == 0)
    #expect(try json("stories/a.json")["content"] == ["", "Two.", ""])
  }

  @Test mutating func `an editor that is not installed is named`() throws {
    program.environment["EDITOR"] = "no-such-editor --wait"
    let run = try program.run("edit", "luna")
    #expect(run.code == 1)
    #expect(
      run.errors.hasSuffix(
        """
        Error: the editor “no-such-editor --wait” was not found
        Hint: set VISUAL or EDITOR to one that is installed

        """), "\(run.errors)")
  }

  @Test mutating func `text that is not UTF-8 is kept byte for byte`() throws {
    try edit(with: "printf 'a\\377b\\n' >> \"$file\"; cp \"$file\" seen.md")
    let run = try program.run("edit", "--text", "first-snow", "--json")
    #expect(run.code == 1)
    let report = try JSONValue(parsing: Array(run.output.utf8))
    let kept = try #require(report["kept"]?.string)
    #expect(report["problems"]?.array?.first?["line"] == 13)
    #expect(
      try FileSystem.read(folder.path(kept)) == FileSystem.read(folder.path("seen.md")))
  }

  @Test mutating func `an editor that fails loses nothing`() throws {
    try edit(with: "echo more >> \"$file\"; exit 3")
    let run = try program.run("edit", "--text", "first-snow")
    #expect(run.code == 1)
    #expect(run.errors.contains("Your text was kept in .stories/edit/"))
    #expect(run.errors.contains("it exited with status 3"))
    #expect(try folder.read(Self.story) == SampleLibrary.snow)
  }

  @Test mutating func `what changed on disk meanwhile stays too`() throws {
    try edit(
      with: """
        sed -i 's/socks/boots/' "$file"
        sed -i 's/was white/was blue/; s/"language": "en"/"language": "de"/' \(Self.story)
        """)
    let run = try program.run("edit", "--text", "first-snow")
    #expect(run.code == 0, "\(run.errors)")
    let text = try folder.read(Self.story)
    #expect(text.contains("for boots") && text.contains("was blue") && text.contains("\"de\""))
  }

  @Test mutating func `two changes of the same line are refused and both stay`() throws {
    try edit(
      with: """
        sed -i 's/socks/boots/' "$file"
        sed -i 's/socks/shoes/' \(Self.story)
        """)
    let run = try program.run("edit", "--text", "first-snow")
    #expect(run.code == 1)
    #expect(
      run.errors.contains("Error: \(Self.story) was changed meanwhile, in “content” too"),
      "\(run.errors)")
    #expect(try folder.read(Self.story).contains("shoes"))
    let kept = try #require(
      run.errors.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix(".stories/edit/") })
    #expect(try folder.read(String(kept)).contains("boots"))
  }

  @Test mutating func `only stories are edited as text`() throws {
    try edit(with: "exit 9")
    let run = try program.run("edit", "--text", "luna")
    #expect(run.code == 2)
    #expect(
      run.errors == """
        Error: heroes/luna is not a story, and only stories are edited as text
        Hint: stories edit heroes/luna

        """)
  }

  // MARK: After an error

  /// Waits until the program asks for a key.
  private func answer(_ key: String, at terminal: PseudoTerminal) {
    waitUntil { terminal.isMute }
    terminal.type(Array(key.utf8))
  }

  @Test mutating func `on a terminal, a file with an error is opened again at its line`() throws {
    try folder.write("#!/bin/sh\nexec sh \(folder.path("editor.sh")) \"$@\"\n", to: "vim")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.path("vim"))
    try edit(
      with: """
        echo "$*" >> calls
        if [ $# = 1 ]; then sed -i 's/"age": 7/"age": 70/' "$file"
        else sed -i 's/"age": 70/"age": 8/' "$file"; fi
        """)
    program.environment["EDITOR"] = folder.path("vim")
    let terminal = try PseudoTerminal()
    let running = try program.start(["edit", "luna"], at: terminal)
    answer("e", at: terminal)
    #expect(running.wait().code == 0)
    let shown = terminal.shown()
    #expect(
      shown.contains("heroes/luna.json:3:10: error: “age” must be between 3 and 12, but this is 70")
    )
    #expect(shown.contains("[e]dit again  [q]uit  [?] › edit"))
    let path = folder.path("heroes/luna.json")
    #expect(try folder.read("calls") == "\(path)\n+3 \(path)\n")
    #expect(try json("heroes/luna.json")["age"] == 8)
  }

  @Test mutating func `a text that is given up on a terminal is kept`() throws {
    try edit(with: "sed -i 's/language: en/language: xx/' \"$file\"")
    let terminal = try PseudoTerminal()
    let running = try program.start(["edit", "--text", "first-snow"], at: terminal)
    answer("q", at: terminal)
    #expect(running.wait().code == 1)
    let shown = terminal.shown()
    #expect(shown.contains("first-snow.md:5:11: error:"))
    // The sentence is wrapped.
    #expect(shown.contains(/your text was kept in\s+\.stories\/edit\//))
  }

  /// Editors, and how they are told a line.
  @Test(arguments: [
    ("vi", "+7 x"), ("/usr/bin/nvim -u NONE", "+7 x"), ("nano", "+7 x"), ("emacs -nw", "+7 x"),
    ("micro", "+7 x"), ("kak", "+7 x"), ("hx", "+7 x"), ("code --wait", "-g x:7"),
    ("'codium' --wait", "-g x:7"), ("subl -w", "x:7"), ("zed --wait", "x:7"), ("kate", "-l 7 x"),
    ("sed -i s/a/b/", "x"), ("my-editor", "x"),
  ])
  func `editors are told the line in their way`(command: String, expected: String) throws {
    let setting = Context(
      output: Output(sink: OutputSink(isBuffered: true) { _ in 0 }, isTerminal: false, width: 80),
      errors: Output(sink: OutputSink(isBuffered: true) { _ in 0 }, isTerminal: false, width: 80),
      input: Input(isTerminal: false) { nil }, environment: ["EDITOR": command],
      folder: folder.path)
    #expect(try Editor(setting).arguments("x", line: 7).joined(separator: " ") == expected)
  }

  /// Editors that would come back at once wait.
  @Test(arguments: [
    ("vi", []), ("code", ["--wait"]), ("code -w", []), ("/usr/bin/subl", ["--wait"]),
    ("kate --block", []), ("gvim", ["--nofork"]),
  ])
  func `editors wait until the file is closed`(command: String, expected: [String]) throws {
    let setting = Context(
      output: Output(sink: OutputSink(isBuffered: true) { _ in 0 }, isTerminal: false, width: 80),
      errors: Output(sink: OutputSink(isBuffered: true) { _ in 0 }, isTerminal: false, width: 80),
      input: Input(isTerminal: false) { nil }, environment: ["EDITOR": command],
      folder: folder.path)
    #expect(try Editor(setting).waiting == expected)
  }

  @Test mutating func `a record that its editor removed is not called sound`() throws {
    try edit(with: "rm \"$file\"")
    let run = try program.run("edit", "first-snow")
    #expect(run.code == 1 && run.errors.contains("stories/2026/first-snow.json was removed"))
  }

  // MARK: new --from and --field

  @Test func `a new story takes its text from a file or standard input`() throws {
    try folder.write(
      "---\nhero: family/otto\nlanguage: fr\n---\n# Neige\n\nIl neige.\n\nEncore.\n", to: "neige.md"
    )
    let run = try program.run("new", "story", "Neige", "--from", "neige.md", "--language", "de")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output == "stories/neige.json\n")
    #expect(run.errors == "")
    #expect(
      try json("stories/neige.json") == [
        "title": "Neige", "hero": "family/otto", "language": "de",
        "content": ["Il neige.", "", "Encore."],
      ])
    let piped = try program.run(
      ["new", "story", "Rain", "--hero", "luna", "--from", "-"], input: "\n# Drops\n\nIt rains.\n\n"
    )
    #expect(piped.code == 0, "\(piped.errors)")
    #expect(try json("stories/rain.json")["content"] == ["# Drops", "", "It rains."])
    #expect(try json("stories/rain.json")["title"] == "Rain")
    #expect(try program.run("check").code == 0)
    let dry = try program.run(
      ["new", "story", "Hail", "--hero", "luna", "--from", "-", "--dry-run"], input: "Ice.\n")
    #expect(dry.output.hasPrefix("stories/hail.json\n{\n  \"title\": \"Hail\","))
    #expect(!folder.exists("stories/hail.json"))
  }

  @Test func `a text may have any name but that of a story or of JSON`() throws {
    for name in ["neige", "neige.text", "first-snow"] { try folder.write("Il neige.\n", to: name) }
    for name in ["neige", "neige.text"] {
      let run = try program.run("new", "story", "From \(name)", "--hero", "luna", "--from", name)
      #expect(run.code == 0, "\(run.errors)")
      let file = run.output.trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(try json(file)["content"] == ["Il neige."])
    }
    let copy = try program.run("new", "story", "Copy", "--from", "first-snow")
    #expect(copy.code == 0, "\(copy.errors)")
    #expect(try json("stories/copy.json")["event"] == "lost-tooth")
    try folder.write("{}", to: "neige.json")
    #expect(try program.run("new", "story", "Neige", "--from", "neige.json").code == 2)
  }

  /// A text, and what is said about it.
  @Test(arguments: [
    ("---\nhero: lnua\n---\nA.\n", "snow.md:2:7: there is no hero “lnua” in this library"),
    ("---\nhero: luna\nlanguage: xx\n---\nA.\n", "snow.md:3:11: “language” must be one of"),
    ("---\nhero: luna\nA.\n", "snow.md:1:1: the front matter that starts here does not end"),
    ("", "snow.md:1:1: the file is empty"),
  ])
  func `errors of a text are found in the text`(text: String, message: String) throws {
    try folder.write(text, to: "snow.md")
    let run = try program.run("new", "story", "Snow", "--from", "snow.md")
    #expect(run.code == 1)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(!folder.exists("stories/snow.json"))
    #expect(try program.run("new", "story", "Snow", "--from", "no.md").code != 0)
  }

  @Test func `a new record can be a copy with other fields`() throws {
    try folder.edit(
      "heroes/luna.json", "\"age\": 7", to: "\"age\": 7, \"note\": {\"mine\": 1}")
    let run = try program.run(
      "new", "hero", "Stella", "--from", "luna", "--field", "hairColor=red", "--field", "age=9",
      "--field", "traits=loud", "--field", "traits=kind", "--field", "specialAbility=")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "")
    #expect(
      try json("heroes/stella.json") == [
        "name": "Stella", "age": 9, "traits": ["loud", "kind"], "hairColor": "red",
        "note": ["mine": 1],
      ])
    try folder.edit(
      Self.story, "\"language\"", to: "\"playCount\": 9, \"isFavorite\": true, \"language\"")
    let story = try program.run(
      "new", "story", "More", "--from", "first-snow", "--hero", "otto", "--field",
      "isFavorite=false", "--field", "content=One.\nTwo.")
    #expect(story.code == 0, "\(story.errors)")
    #expect(
      try json("stories/more.json") == [
        "title": "More", "hero": "family/otto", "event": "lost-tooth", "language": "en",
        "content": ["One.", "Two."], "isFavorite": false,
      ])
    let event = try program.run(
      "new", "event", "Shoe", "--from", "lost-tooth", "--field", "keywords=shoe")
    #expect(event.code == 0 && event.errors == "")
    #expect(try json("events/shoe.json")["keywords"] == ["shoe"])
  }

  /// Words for --field, and what is said about them.
  @Test(arguments: [
    ("hairColour=red", "“hairColour” is not a field of a hero\nHint: did you mean “hairColor”?"),
    ("shoes=red", "Hint: the fields are age, traits, specialAbility,"),
    ("age", "--field age has no value\nHint: write it as --field age=VALUE"),
    ("name=Nova", "a new hero's name is given without --field\nHint: stories new hero NAME"),
    ("age=old", "“age” must be a whole number"),
    ("age=13", "“age” must be between 3 and 12"),
  ])
  func `wrong fields are refused`(word: String, message: String) throws {
    let run = try program.run("new", "hero", "Nova", "--field", word)
    #expect(run.code == 2)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(!folder.exists("heroes/nova.json"))
  }

  @Test func `the hint after a new record names the file`() throws {
    #expect(
      try program.run("new", "hero", "Nova").errors
        == "“age” and “traits” are placeholders: change them in heroes/nova.json\n")
    #expect(
      try program.run("new", "story", "A", "--hero", "luna").errors
        == "“content” is empty: write the story in stories/a.json, or run `stories edit --text stories/a.json`. It is not sent until it has text.\n"
    )
  }

  // MARK: fmt --prose

  @Test func `a long string becomes lines, and nothing else changes`() throws {
    try folder.write(
      """
      {
        "title": "Long",
        "hero": "luna",
        "content": "One.\\n\\nTwo.\\n"
      }

      """, to: "stories/long.json")
    #expect(try program.run("sync", "push").code == 0)
    let offer = try program.run("fmt")
    #expect(
      offer.errors.hasSuffix(
        "The text of stories/long is one long string; to turn it into lines: stories fmt --prose stories/long\n"
      ), "\(offer.errors)")
    let dry = try program.run("fmt", "--prose", "--dry-run")
    #expect(dry.output == "stories/long.json\n")
    #expect(try program.run("fmt", "--prose", "stories/long").code == 0)
    #expect(
      try folder.read("stories/long.json") == """
        {
          "title": "Long",
          "hero": "luna",
          "content": [
            "One.",
            "",
            "Two.",
            ""
          ]
        }

        """)
    #expect(try program.run("status", "--exit-code").code == 0, "nothing becomes pending")
    let report = try program.run("fmt", "--json").output
    #expect(try JSONValue(parsing: Array(report.utf8))["inOneString"] == [])
  }
}
