import JSONText
import StoryLibrary
import Testing

@testable import stories

/// The sentence and the advice of problems that no test of a command shows.
@Suite struct ProblemWordsTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var what: Problem.What
    var file: String
    var message: String
    var advice: String?

    var testDescription: String { message }

    init(
      _ what: Problem.What, in file: String = "heroes/x.json", _ message: String,
      _ advice: String? = nil
    ) {
      (self.what, self.file) = (what, file)
      (self.message, self.advice) = (message, advice)
    }
  }

  private static let fraction = JSONNumber(literal: "7.5") ?? JSONNumber(0)
  private static let luna = RecordRef(kind: .heroes, name: "luna")
  private static let somebody = RecordRef(kind: .heroes, name: "somebody")
  private static let similar = "did you mean “heroes”?"

  private static func field(_ key: String, _ kind: EntityKind = .heroes) throws -> Field {
    let index = try #require(kind.schema.fieldIndex(key: key))
    return kind.schema.fields[index]
  }

  private static let records = [
    Row(
      .wrongType("name", .string, found: .number), "“name” must be a string, but this is a number"),
    Row(
      .wrongType("isFavorite", .boolean, found: .true),
      "“isFavorite” must be true or false, but this is true or false"),
    Row(
      .wrongType("content", .lines, found: .object),
      "“content” must be an array of lines or a string, but this is an object"),
    Row(
      .wrongType("specialAbility", .stringOrStrings, found: .array),
      "“specialAbility” must be a string or an array of strings, but this is an array"),
    Row(.wrongType("playCount", .wholeNumber, found: nil), "“playCount” must be a whole number"),
    Row(
      .notWhole("age", fraction), "“age” must be a whole number, but this is 7.5"),
    Row(
      .outOfRange("age", 3...12, JSONNumber(13)), "“age” must be between 3 and 12, but this is 13"),
    Row(
      .tooLong("name", count: 201, limit: 200),
      "“name” has 201 characters, but at most 200 are allowed"),
    Row(
      .wrongCount("traits", 1...20, 0), "“traits” has 0 elements, but 1 to 20 are allowed"),
    Row(.blank("traits[0]"), "“traits[0]” must not be empty"),
    Row(
      .unknownField("hairColour", nearest: "hairColor", in: .record),
      "unknown field “hairColour” (not synced)", "did you mean “hairColor”?"),
    Row(.unknownField("mood", nearest: nil, in: .text), "unknown field “mood” (ignored)"),
    Row(
      .misspelt("trait", field: "traits", .heroes), "“trait” should be “traits”",
      "rename it: every hero needs “traits”"),
    Row(
      .wrongFolder(.stories, in: .heroes), "this looks like a story, but it is in heroes/",
      "move it to stories/"),
    Row(
      .choice("language", value: "em", allowed: ["en", "fr"]),
      "“language” must be one of en, fr, not “em”", "did you mean “en”?"),
    Row(
      .ambiguous("heroId", with: "hero"), "“heroId” means the same as “hero”", "keep one of the two"
    ),
    Row(.ambiguous("heroId", with: nil), "“heroId” is given twice", "keep one of the two"),
    Row(
      .unknownReference(somebody, nil), "there is no hero “somebody” in this library",
      "create it with `stories new hero`, or name an existing one"),
    Row(
      .unknownReference(somebody, .path("family/otto")),
      "there is no hero “somebody” in this library",
      "write “family/otto”, its path below heroes/ without .json"),
    Row(
      .unknownReference(somebody, .id(field: "heroId")),
      "there is no hero “somebody” in this library",
      "this is an id: use the name of the file, or the key “heroId”"),
    Row(
      .unknownID("heroId", .heroes), "“heroId” is the id of no hero in this library",
      "write “hero” with the name of a file in heroes/; nothing is wrong if only the server has this hero"
    ),
    Row(
      .notAnObject(.array), "a record must be a JSON object, but this is an array",
      "a file holds one record: remove the “[” and “]” around it"),
    Row(
      .notAnObject(.array), in: "library.json",
      "a record must be a JSON object, but this is an array"),
    Row(
      .unreadable(FileError(.read, path: "/x", code: 27)),
      "cannot be read: it is larger than 64 MiB", "shorten it, or move it out of the library"),
    Row(
      .empty(isJSON: true, isNew: true), "the file is empty", "write the record, or remove the file"
    ),
    Row(.notAnObject(.null), "a record must be a JSON object, but this is null"),
    Row(
      .noRecords, in: "app.json", "not a hero, story or event, or a list of them",
      "write it as the API answers, such as {\"stories\": [ … ]}"),
    Row(
      .unreadable(FileError(.read, path: "/x", code: 13)), "cannot be read: Permission denied"),
    Row(
      .notAFile(FileError(.read, path: "/x", code: 21)), "this is a folder, not a file",
      "records are plain files; links are not followed"),
    Row(
      .notRepaired(.blank("name"), FileError(.write, path: "/x", code: 13)),
      "could not be repaired: Permission denied"),
    Row(.notRepaired(.blank("name"), nil), "could not be repaired: the file is read-only"),
  ]

  private static let sidecars = [
    Row(
      .markedSidecar, "this file contains git's conflict markers", "`stories sync` repairs it"),
    Row(
      .twoSidecars(areReadable: true), in: "heroes/family/.sync/otto.json",
      "git left two sidecars in this file, which belong to different records",
      "choose one: stories resolve heroes/family/otto"),
    Row(
      .twoSidecars(areReadable: false), in: "heroes/.sync/luna.json",
      "git left two sidecars in this file, which belong to different records",
      "`git checkout --ours -- heroes/.sync/luna.json` or `--theirs` takes one of the two versions;"
        + " after the merge is over, `git checkout COMMIT -- heroes/.sync/luna.json`"),
    Row(
      .duplicateID(["heroes/a.json", "heroes/b.json"], more: 2, sidecar: "heroes/.sync/luna.json"),
      in: "heroes/luna.json", "has the same server id as heroes/a.json, heroes/b.json and 2 more",
      "keep one of them: remove heroes/luna.json and heroes/.sync/luna.json; or, if it is a"
        + " copy that should become its own record, only heroes/.sync/luna.json"),
    Row(
      .duplicateID(["heroes/.sync/copy.json"], more: 0, sidecar: nil), in: "heroes/.sync/luna.json",
      "has the same server id as heroes/.sync/copy.json, and none of them has a record",
      "to delete it on the server, remove all of these sidecars but one; to have it back,"
        + " remove all and run `stories sync pull`"),
    Row(
      .otherKind(.stories, of: luna), "this is the sidecar of a story, not of a hero",
      "move heroes/luna.json and heroes/.sync/luna.json back to stories/"),
    Row(
      .newerSidecar(version: 2),
      "this sidecar was written by a newer version of stories (version 2)",
      "install the newest stories"),
  ]

  private static let settings = [
    Row(.noVersion, "“version” is missing", "add \"version\": 1"),
    Row(.wrongSetting(nil), "library.json must be an object"),
    Row(.wrongSetting("policies", text: "ask"), "“policies” must be an object"),
    Row(.wrongSetting("version", text: "1"), "“version” must be a number of at least 1"),
    Row(
      .wrongSetting("server", text: "embeded"),
      "“server” must be \"embedded\" or an address such as \"https://stories.example\"",
      "did you mean “embedded”?"),
    Row(.wrongSetting("synced"), "“synced” must have a “server” and an “account”"),
    Row(
      .policy(.kind, "heros", allowed: ["heroes", "stories"]),
      "there is no kind “heros” (allowed: heroes, stories)", similar),
    Row(
      .unknownSetting("sever", nearest: "server"),
      "“sever” is not a setting, so it has no effect", "did you mean “server”?"),
  ]

  private static let texts = [
    Row(
      .unmerged(keptIn: "MERGE_HEAD", lacksOther: true),
      "git left this file unmerged: only “theirs” has it",
      "to keep it: `git add -- heroes/x.json` and `git checkout MERGE_HEAD -- heroes/.sync/x.json`;"
        + " to remove it: `git rm --ignore-unmatch -- heroes/x.json heroes/.sync/x.json`; then finish"
        + " what git began"),
    Row(
      .unmerged(keptIn: "COMMIT", lacksOther: true),
      "git left this file unmerged: only “theirs” has it",
      "to keep it: `git add -- heroes/x.json`, and bring heroes/.sync/x.json back from the same"
        + " commit; to remove it: `git rm --ignore-unmatch -- heroes/x.json heroes/.sync/x.json`; then"
        + " finish what git began"),
    Row(
      .unmerged(keptIn: "HEAD", lacksOther: false),
      "git left this file unmerged: only “ours” has it",
      "to keep it: `git add -- heroes/x.json`; to remove it: `git rm --ignore-unmatch --"
        + " heroes/x.json heroes/.sync/x.json`; then finish what git began"),
    Row(
      .unmerged(keptIn: nil, lacksOther: false), "git left this file unmerged: neither side has it",
      "to remove it: `git rm --ignore-unmatch -- heroes/x.json heroes/.sync/x.json`; then finish"
        + " what git began"),
    Row(.empty(isJSON: false), "the file is empty"),
    Row(.storyText(.notUTF8), "this line is not valid UTF-8", "save the file as UTF-8"),
    Row(
      .storyText(.openFrontMatter), "the front matter that starts here does not end",
      "write --- on a line of its own below it, or remove this line"),
    Row(
      .storyText(.notAField), "this is not a field",
      "write it like “title: The Night Train”, or end the front matter above it with ---"),
    Row(
      .storyText(.strayLine), "this line is not part of a field",
      "write it like “title: The Night Train”"),
    Row(
      .storyText(.notASingleText("title")), "“title” must be a single text",
      "write it on one line, in quotes"),
    Row(
      .storyText(.openQuote), "this quote is not closed",
      #"close it on the same line, and write \n in double quotes for a line break"#),
    Row(.storyText(.escape), "unknown escape sequence", #"write \\ for a backslash"#),
    Row(.storyText(.openList), "this list does not end", "close it with “]”"),
    Row(
      .storyText(.noComma), "this list needs a comma or “]” here", "put texts with commas in quotes"
    ),
    Row(
      .storyText(.textAfterValue), "unexpected text after the value", "put the whole text in quotes"
    ),
    Row(
      .storyText(.twice("title")), "the field “title” occurs twice", "keep one of the two"),
    Row(
      .storyText(.textInFrontMatter("content")), "“content” cannot be in the front matter",
      "write the text below it"),
    Row(.storyText(.notACharacter), "not a Unicode character"),
  ]

  @Test(arguments: records + sidecars + settings + texts)
  func `a case has these words`(_ row: Row) {
    let problem = Problem(row.what, file: row.file)
    #expect(problem.message == row.message)
    #expect(problem.advice == row.advice)
  }

  @Test func `a missing field says where it belongs`() throws {
    func words(_ key: String, _ kind: EntityKind, isNull: Bool = false, _ form: Problem.Form) throws
      -> [String?]
    {
      let what = Problem.What.missing(try Self.field(key, kind), isNull: isNull, in: form)
      let problem = Problem(what, file: "x.json")
      return [problem.message, problem.advice]
    }
    #expect(
      try words("name", .heroes, .record) == ["“name” is missing", "add \"name\": … to the file"])
    #expect(
      try words("name", .heroes, isNull: true, .record)
        == ["“name” needs a value, but this is null", nil])
    #expect(
      try words("content", .stories, .record)
        == ["“content” is missing", "write it as an array of lines"])
    #expect(
      try words("hero", .stories, .record)
        == ["“hero” is missing", "name a file in heroes/, without .json"])
    #expect(
      try words("hero", .stories, .importedStory(isJSON: true))
        == ["“hero” is missing", "add “hero” to it, or give --hero NAME"])
    #expect(
      try words("hero", .stories, .importedStory(isJSON: false))
        == [
          "“hero” is missing", "add “hero: NAME” to the front matter, or give --hero NAME",
        ])
    #expect(
      try words("title", .stories, isNull: true, .text)
        == ["“title” needs a value, but this is null", "add it to the front matter"])
    #expect(
      try words("title", .stories, isNull: true, .draft) == ["“title” must not be empty", nil])
  }

  @Test(
    arguments: [
      (.notAnObject(nil), "it is not an object"),
      (.notAnObject("refs"), "“refs” is not an object"), (.missing("id"), "it has no “id”"),
      (.wrongValue("id"), "“id” must be a string that is not empty"),
      (.wrongValue("refs.a"), "“refs.a” is not a string"),
      (.wrongValue("delete"), "“delete” is neither true nor false"),
      (.wrongValue("version"), "“version” must be a number of at least 1"),
      (.wrongValue("conflict.deleted"), "“conflict.deleted” is neither “server” nor “here”"),
      (.noFields, "“conflict” has no “fields”"),
      (.unknownField("nam"), "“conflict” names “nam”, which is not a field"),
      (
        .wrongType("base.age", .wholeNumber, found: .string),
        "“base.age” must be a whole number, but is a string"
      ),
    ] as [(Sidecar.Fault, String)])
  func `a malformed sidecar says how, and how to get another one`(
    _ fault: Sidecar.Fault, _ words: String
  ) {
    let problem = Problem(.sidecar(fault), file: "heroes/.sync/luna.json")
    #expect(problem.message == "not a valid sidecar: " + words)
    #expect(
      problem.advice
        == "the next `stories sync` rebuilds it from the server's record, and fields that differ become"
        + " conflicts; to keep an older one instead: `git checkout -- heroes/.sync/luna.json`")
    let empty = Problem(.sidecarNotJSON(nil), file: problem.file)
    #expect(empty.message == "the file is empty")
    #expect(empty.advice == problem.advice)
  }
}
