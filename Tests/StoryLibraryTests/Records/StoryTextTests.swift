import JSONText
import TestSupport
import Testing

@testable import StoryLibrary

@Suite struct StoryTextTests {
  private static let ref = RecordRef(kind: .stories, name: "snow")

  private func file(_ members: JSONObject) throws -> RecordFile {
    try RecordFile(ref: Self.ref, bytes: JSONValue.object(members).fileBytes())
  }

  private func parse(_ text: String) throws -> StoryText {
    try StoryText(parsing: Array(text.utf8), file: "snow.md")
  }

  private func written(_ members: JSONObject) throws -> String {
    String(decoding: try StoryText(file(members)).bytes, as: UTF8.self)
  }

  /// The record file that a new record of the text has.
  private func record(_ text: StoryText) throws -> RecordFile {
    var members = JSONObject()
    EntityKind.stories.schema.apply(text.values, to: &members)
    return try file(members)
  }

  // MARK: Writing

  @Test func `fields are front matter, and the text is as it is`() throws {
    let text = try written([
      "content": ["Luna woke up.", "", "# not a heading", "*stars*"], "title": "The First Snow",
      "hero": "luna", "playCount": 12, "isFavorite": true, "language": "en", "note": "my own",
    ])
    #expect(
      text == """
        ---
        title: The First Snow
        hero: luna
        language: en
        isFavorite: true
        playCount: 12
        ---

        Luna woke up.

        # not a heading
        *stars*

        """)
  }

  @Test(arguments: [
    ("The Night Train", "The Night Train"), ("Luna's hat", "Luna's hat"), ("Noël", "Noël"),
    ("", "\"\""), (" x", "\" x\""), ("x ", "\"x \""), ("a: b", "\"a: b\""), ("a:b", "a:b"),
    ("a #b", "\"a #b\""), ("a#b", "a#b"), ("end:", "\"end:\""), ("- x", "\"- x\""),
    ("---", "\"---\""), ("# x", "\"# x\""), ("*x*", "\"*x*\""), ("<x>", "<x>"), ("12", "\"12\""),
    ("No", "\"No\""), ("null", "\"null\""), ("a\nb", "\"a\\nb\""), ("a\tb", "\"a\\tb\""),
    ("\"a\" \\", "\"\\\"a\\\" \\\\\""), ("\0", "\"\\u0000\""), ("a\u{202E}b", "\"a\\u202Eb\""),
    ("[x]", "\"[x]\""), ("{x}", "\"{x}\""), ("'x'", "\"'x'\""),
  ])
  func `a value is in quotes if another reader could take it for something else`(
    _ title: String, _ value: String
  ) throws {
    let text = try written(["title": .string(title), "hero": "luna", "content": ["x"]])
    #expect(text.hasPrefix("---\ntitle: \(value)\nhero: luna\n---\n"))
    #expect(try parse(text).fields["title"] == .string(title))
  }

  @Test func `a value of the wrong type is not written`() throws {
    #expect(throws: Problem.self) { try StoryText(file(["title": 5, "hero": "luna"])) }
    #expect(throws: Problem.self) { try StoryText(file(["title": "x", "content": ["a", 1]])) }
    #expect(throws: Problem.self) {
      try StoryText(file(["title": "x", "hero": "a", "heroId": "b"]))
    }
  }

  // MARK: Round trips

  /// Texts that a careless writer or reader would change.
  private static let hostile = [
    "", "\n", "\n\n\n", "---", "---\nx: y\n---\n", "--- \n...", "# x", "* * *", "<p>&amp;</p>",
    "\t",
    "a  \nb\t", "\n\na\n\n", "a\r\nb\r\n", "\r\n", "\r", "a\u{0}b", "שלום\u{200F} (עולם)",
    "\u{FEFF}x",
    "e\u{301} \u{E9}", "a\u{2028}b\u{85}", "\u{301}", "`code`\n    code", "- a\n- b", "\\", "\"'",
    "<<<<<<< a\n=======\n>>>>>>> b",
    String(repeating: "Es war einmal – und noch einmal. ", count: 32_000),
  ]

  @Test func `hostile titles and contents come back by value`() throws {
    for title in Self.hostile {
      for content in [Self.hostile[4], title] {
        let original = try file([
          "title": .string(title), "heroId": "h-1", "content": .string(content),
        ])
        let text = try StoryText(original)
        let back = try StoryText(parsing: text.bytes, file: "x.md")
        #expect(back == text)
        #expect(back.bytes == text.bytes)
        #expect(back.warnings.isEmpty)
        let again = try record(back)
        #expect(values(again) == values(original))
      }
    }
  }

  @Test(arguments: [1 as UInt64, 2, 3])
  func `generated records come back by value`(_ seed: UInt64) throws {
    var generator = RecordGenerator(seed: seed)
    var count = 0
    for _ in 0..<400 {
      let bytes = generator.text(generator.values(.stories))
      let original = try RecordFile(ref: Self.ref, bytes: bytes)
      guard let text = try? StoryText(original) else { continue }
      count += 1
      let back = try StoryText(parsing: text.bytes, file: "x.md")
      #expect(back == text, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
      #expect(try values(record(back)) == values(original), "seed \(seed)")
    }
    #expect(count > 200)
  }

  private func values(_ file: RecordFile) -> [FieldValues] {
    let reading = file.reading(references: RecordGenerator.references, sidecar: nil)
    var named = FieldValues(kind: .stories)
    for target in reading.pending + reading.unknown {
      for field in EntityKind.stories.schema.fields where field.referencedKind == target.kind {
        named[field] = .string(target.name)
      }
    }
    return [reading.values, named]
  }

  // MARK: Reading

  @Test func `what others write is understood`() throws {
    let text = try parse(
      """
      ---\u{20}
      # a comment
      title: 'Luna''s hat'  # another
      mood : sleepy
      "hero": "lu\\u006Ea"
      tags: [snow, "stars, and moons",
        night]
      keywords:
      - a
      - 'b'
      event:
      favourite: Yes
      playCount: 3
      author:
        name: Ann
      language: fr
      summary: >-
        Long
        text
      ...
      Once upon a time.

      """)
    #expect(
      text.fields == [
        "title": "Luna's hat", "hero": "luna", "event": .null, "isFavorite": true, "playCount": 3,
        "language": "fr",
      ])
    #expect(text.content == "Once upon a time.")
    let unknown = ["mood", "tags", "keywords", "author", "summary"]
    #expect(
      text.warnings.map(\.what) == unknown.map { .unknownField($0, nearest: nil, in: .text) })
  }

  @Test(
    arguments: [
      ("---\ntitle: x\n", "1:1", .storyText(.openFrontMatter)),
      ("---\nOnce upon a time\n---\n", "2:1", .storyText(.notAField)),
      ("---\ntitle: x\n  hero: luna\n---\n", "2:8", .storyText(.notASingleText("title"))),
      ("---\ntitle: \"x\n---\n", "2:8", .storyText(.openQuote)),
      ("---\ntitle: \"x\" y\n---\n", "2:12", .storyText(.textAfterValue)),
      ("---\ntitle: \"\\q\"\n---\n", "2:9", .storyText(.escape)),
      ("---\ntitle: [a, b]\n---\n", "2:8", .storyText(.notASingleText("title"))),
      ("---\ntitle: |\n  x\n---\n", "2:8", .storyText(.notASingleText("title"))),
      ("---\ntags: [a\n---\n", "2:7", .storyText(.openList)),
      ("---\ntitle: x\ntitle: y\n---\n", "3:1", .storyText(.twice("title"))),
      ("---\nhero: x\nheroId: y\n---\n", "3:1", .ambiguous("heroId", with: nil)),
      ("---\nplayCount: many\n---\n", "2:12", .wrongType("playCount", .wholeNumber, found: nil)),
      ("---\nisFavorite: 1\n---\n", "2:13", .wrongType("isFavorite", .boolean, found: nil)),
      ("---\n- a\n---\n", "2:1", .storyText(.strayLine)),
      ("---\ncontent: x\n---\n", "2:1", .storyText(.textInFrontMatter("content"))),
      ("", "1:1", .empty(isJSON: false)), (" \n\t\n", "1:1", .empty(isJSON: false)),
    ] as [(String, String, Problem.What)])
  func `a mistake is named with its place`(_ text: String, at: String, _ what: Problem.What) {
    let problem = #expect(throws: Problem.self) { try parse(text) }
    #expect(problem?.what == what)
    #expect(problem?.file == "snow.md")
    #expect(problem?.position?.description == at)
  }

  @Test func `bytes that are not UTF-8 are refused with their line`() {
    let problem = #expect(throws: Problem.self) {
      try StoryText(parsing: Array("a\n".utf8) + [0xFF], file: "snow.md")
    }
    #expect(
      problem
        == Problem(.storyText(.notUTF8), file: "snow.md", position: .init(line: 2, column: 1)))
  }

  @Test func `a file with CRLF has LF in its text`() throws {
    let text = try parse("---\r\ntitle: x\r\n---\r\n\r\na\r\n\r\nb\r\n")
    #expect(text.fields == ["title": "x"] && text.content == "a\n\nb")
    #expect(try parse("\u{FEFF}a\r\nb\r\n").content == "a\nb")
  }

  @Test(arguments: [
    ("# The Night Train\n\nOnce.\n", "The Night Train", "Once."),
    ("\n\n### Deep ##\nOnce.", "Deep", "Once."), ("# C#\nOnce.", "C#", "Once."),
    ("The Night Train\n===\n\nOnce.", "The Night Train", "Once."),
    ("Once.\n# Later\n", "From the name", "Once.\n# Later"),
    ("#tag\nOnce.", "From the name", "#tag\nOnce."),
    ("---\nhero: luna\n---\n# T\n\nOnce.\n", "T", "Once."),
    ("---\ntitle: A\n---\n# T\n", "A", "# T"),
  ])
  func `the title is the first heading, else the name`(
    _ text: String, _ title: String, _ content: String
  ) throws {
    var text = try parse(text)
    text.completeTitle(fallback: "From the name")
    #expect(text.fields["title"] == .string(title))
    #expect(text.content == content)
  }

  // MARK: Applying

  @Test func `only what is stated changes, and long text keeps its form`() throws {
    var members: JSONObject = [
      "title": "A", "note": 1, "heroId": "h", "event": "e", "content": "a\nb", "playCount": 3,
    ]
    let text = try parse("---\nhero: luna\nevent:\n---\n\na\nc\n")
    EntityKind.stories.schema.apply(text.values, to: &members)
    #expect(
      members == ["title": "A", "note": 1, "hero": "luna", "content": "a\nc", "playCount": 3])
    members["content"] = ["a\nb", "c"]
    EntityKind.stories.schema.apply(["content": "a\nb\nc"], to: &members)
    #expect(members["content"] == ["a\nb", "c"])
    EntityKind.stories.schema.apply(["content": "a\nb\nd"], to: &members)
    #expect(members["content"] == ["a\nb", "d"])
  }
}
