import Foundation
import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

@Suite struct SchemaCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try SampleLibrary().folder }

  private func perform(_ words: String...) async -> CommandRun {
    await CommandSetting(folder).run(words)
  }

  private func json(_ path: String) throws -> JSONValue {
    try JSONValue(parsing: Array(folder.read(path).utf8))
  }

  // MARK: Schemas

  @Test(arguments: EntityKind.writable) func `every field has words and limits`(
    kind: EntityKind
  ) async throws {
    let run = await perform("schema", kind.schema.noun)
    #expect(run.code == .done)
    let schema = try JSONValue(parsing: Array(run.output.utf8))
    #expect(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema")
    let properties = try #require(schema["properties"]?.object)
    #expect(properties.keys == kind.schema.memberOrder)
    for field in kind.schema.fields {
      for key in field.keys {
        let title = try #require(properties[key]?["title"]?.string)
        #expect(title != key && title.first?.isUppercase == true, "\(key)")
        #expect(properties[key]?["description"]?.string?.hasSuffix(".") == true, "\(key)")
      }
    }
  }

  @Test func `the schema of heroes`() async throws {
    let schema = try JSONValue(parsing: Array(await perform("schema", "hero").output.utf8))
    #expect(schema["required"] == ["name", "age", "traits"])
    #expect(
      schema["properties"]?["age"] == [
        "title": "Age", "description": "The hero's age in years, from 3 to 12.", "minimum": 3,
        "maximum": 12, "type": "integer", "examples": [7],
      ])
    let none = await perform("schema")
    #expect(none.code == .wrongUsage)
    #expect(await perform("schema", "picture").code == .wrongUsage)
    #expect(await perform("schema", "hero", "--editor", "zed").code == .wrongUsage)
    #expect(await perform("schema", "--dry-run").code == .wrongUsage)
  }

  // MARK: Editors

  @Test func `editors are set up, and again without any change`() async throws {
    #expect(
      await perform("schema", "--editor", "vscode", "--dry-run").output
        == "Would write .schemas/hero.json\nWould write .schemas/event.json\n"
        + "Would write .schemas/story.json\nWould write .vscode/settings.json\n")
    #expect(!folder.exists(".schemas"))
    let run = await perform("schema", "--editor", "vscode")
    #expect(run.code == .done)
    #expect(run.output.hasSuffix("Wrote .vscode/settings.json\n"))
    #expect(
      try folder.read(".vscode/settings.json") == """
        {
          "json.schemas": [
            {
              "fileMatch": ["heroes/**/*.json", "!**/.sync/*.json"],
              "url": "./.schemas/hero.json"
            },
            {
              "fileMatch": ["events/**/*.json", "!**/.sync/*.json"],
              "url": "./.schemas/event.json"
            },
            {
              "fileMatch": ["stories/**/*.json", "!**/.sync/*.json"],
              "url": "./.schemas/story.json"
            }
          ]
        }

        """)
    let again = await perform("schema", "--editor", "vscode", "--json")
    #expect(again.code == .done)
    let files = try JSONValue(parsing: Array(again.output.utf8))["files"]?.array ?? []
    #expect(files.count == 4 && files.allSatisfy { $0["state"] == "unchanged" })
    #expect(await perform("schema", "--editor", "zed").output == "Wrote .zed/settings.json\n")
    #expect(await perform("schema", "--editor", "neovim").output == "Wrote .nvim.lua\n")
    #expect(try folder.read(".nvim.lua").contains("getcwd() .. \"/.schemas/story.json\"),"))
    #expect(try json(".zed/settings.json")["lsp"]?["json-language-server"] != nil)
    // They are no part of the library.
    #expect(await perform("check").output == "4 records checked, no problems.\n")
    #expect(await perform("doctor", "--json").output.contains("\"errors\"") == false)
    #expect(await perform("sync", "push").code == .done)
    #expect(await perform("status", "--exit-code").code == .done)
  }

  @Test func `settings that exist stay`() async throws {
    let own = """
      {"editor.fontSize":   14,
        "json.schemas": [ { "fileMatch": ["package.json"], "url": "./own.json" } ],
        "last": [1,2 ] }

      """
    try folder.write(own, to: ".vscode/settings.json")
    #expect(
      await perform("schema", "--editor", "vscode").output.hasSuffix(
        "Changed .vscode/settings.json\n"))
    let text = try folder.read(".vscode/settings.json")
    #expect(text.hasPrefix("{\"editor.fontSize\":   14,\n"))
    #expect(text.hasSuffix("  \"last\": [1,2 ] }\n"))
    let list = try json(".vscode/settings.json")["json.schemas"]?.array ?? []
    #expect(
      list.map { $0["url"] } == [
        "./own.json", "./.schemas/hero.json", "./.schemas/event.json", "./.schemas/story.json",
      ])
  }

  /// Settings without a value, and what of them stays.
  @Test(arguments: [
    ("", ""), (" \n", ""), ("\u{FEFF}", ""), ("// mine", "// mine\n"),
    ("/* a\n b */\n// c\n", "/* a\n b */\n// c\n"),
  ])
  func `settings without a value get one`(text: String, kept: String) async throws {
    for (editor, path) in [("vscode", ".vscode/settings.json"), ("zed", ".zed/settings.json")] {
      try folder.write(text, to: path)
      let run = await perform("schema", "--editor", editor)
      #expect(run.code == .done, "\(run.errors)")
      #expect(run.output.hasSuffix("Changed \(path)\n"))
      let new = try folder.read(path)
      try folder.remove(path)
      #expect(await perform("schema", "--editor", editor).code == .done)
      #expect(try new == kept + folder.read(path))
    }
  }

  /// Settings with comments and trailing commas: the text before and after what is added, and both
  /// once more as JSON.
  @Test(arguments: [
    [
      ".vscode/settings.json", "{", "\n  // mine\n  \"a\": \"//\", /* b */\n}\n", "{",
      "\"a\": 1}",
    ],
    [
      ".vscode/settings.json", "{ // mine\n  \"json.schemas\": [", " /* none */ ],\n}\n",
      "{\"json.schemas\": [", "]}",
    ],
    [
      ".vscode/settings.json", "// mine\n{\"json.schemas\": [",
      "\n    { \"url\": \"./own.json\" }, // own\n  ]}", "{\"json.schemas\": [", "1]}",
    ],
    [
      ".zed/settings.json", "{\n  // mine\n  \"lsp\": {", "\n    \"a\": {},\n  },\n}\n",
      "{\"lsp\": {", "\"a\": 1}}",
    ],
  ])
  func `settings with comments stay`(row: [String]) async throws {
    let (path, before, after) = (row[0], row[1], row[2])
    try folder.write(before + after, to: path)
    let editor = path.hasPrefix(".zed") ? "zed" : "vscode"
    let run = await perform("schema", "--editor", editor)
    #expect(run.code == .done, "\(run.errors)")
    #expect(run.output.hasSuffix("Changed \(path)\n"))
    let text = try folder.read(path)
    #expect(text.hasPrefix(before) && text.hasSuffix(after), "\(text)")
    let added = text.dropFirst(before.count).dropLast(after.count)
    #expect(added.hasPrefix("\n  "))
    let value = try JSONValue(parsing: Array((row[3] + added + row[4]).utf8))
    let list =
      value["json.schemas"]
      ?? value["lsp"]?["json-language-server"]?["settings"]?["json"]?["schemas"]
    #expect(
      list?.array?.prefix(3).map { $0["url"] } == [
        "./.schemas/hero.json", "./.schemas/event.json", "./.schemas/story.json",
      ], "\(text)")
    let again = await perform("schema", "--editor", editor)
    #expect(again.errors.contains("already completes and checks"), "\(again.output)")
    #expect(try folder.read(path) == text)
  }

  /// Settings to which nothing can be added, by their editor.
  @Test(arguments: [
    ("vscode", ".vscode/settings.json", "{\"json.schemas\": {}}", "\"json.schemas\": ["),
    ("zed", ".zed/settings.json", "{\"lsp\": []}", "\"json-language-server\": {"),
    ("vscode", ".vscode/settings.json", "/* mine", "\"json.schemas\": ["),
    ("neovim", ".nvim.lua", "print(1)\n", "vim.lsp.config(\"jsonls\""),
  ])
  func `what cannot be changed is shown`(
    editor: String, path: String, own: String, part: String
  ) async throws {
    try folder.write(own, to: path)
    let run = await perform("schema", "--editor", editor)
    #expect(run.code == .failed)
    #expect(run.errors.contains("\(path) was left as it is"), "\(run.errors)")
    #expect(run.errors.contains(part), "\(run.errors)")
    #expect(try folder.read(path) == own)
    #expect(folder.exists(".schemas/hero.json"))
  }

  @Test func `a schema of one's own is not replaced`() async throws {
    try folder.write("{\"title\": \"Mine\"}", to: ".schemas/hero.json")
    let run = await perform("schema", "--editor", "vscode")
    #expect(run.code == .failed)
    #expect(run.errors.contains(".schemas/hero.json was left as it is"))
    #expect(try folder.read(".schemas/hero.json") == "{\"title\": \"Mine\"}")
    try folder.edit(".schemas/event.json", "An event", to: "An old event")
    #expect(
      await perform("schema", "--editor", "vscode").output == "Changed .schemas/event.json\n")
  }

  /// With the program as it was built, which has the schemas too.
  @Test func `a new library can be set up at once`() async throws {
    let program = try BuiltProgram(in: folder)
    #expect(try await program.run("schema", "hero").output == perform("schema", "hero").output)
    let run = try program.run("init", "new", "--editor", "zed")
    #expect(run.code == 0)
    #expect(run.output.contains("the fields of records, for zed"), "\(run.output)")
    #expect(run.output.contains("Wrote new/.zed/settings.json"))
    #expect(folder.exists("new/.schemas/story.json"))
  }

  @Test func `the name of a schema in a record is never sent`() async throws {
    try folder.edit(
      "heroes/luna.json", "\"name\": \"Luna\",",
      to: "\"name\": \"Luna\", \"$schema\": \"../.schemas/hero.json\",")
    #expect(await perform("check", "--strict").code == .done)
    #expect(await perform("sync", "push").code == .done)
    let sidecar = try json("heroes/.sync/luna.json")
    #expect(sidecar["base"]?["name"] == "Luna")
    #expect(!(try folder.read("heroes/.sync/luna.json").contains("$schema")))
    #expect(await perform("fmt").code == .done)
    #expect(
      try folder.read("heroes/luna.json").hasPrefix(
        "{\n  \"$schema\": \"../.schemas/hero.json\",\n  \"name\": \"Luna\",\n"))
    #expect(await perform("status", "--exit-code").code == .done)
  }

  // MARK: Agreement

  @Test(.withSchemaCheck) func `the samples are valid by the schemas`() async throws {
    for kind in EntityKind.writable {
      let files = try FileManager.default.subpathsOfDirectory(atPath: Self.samples)
        .filter { $0.hasPrefix(kind.folder + "/") && $0.hasSuffix(".json") }
        .filter { !$0.contains("/.sync/") }
        .map { Self.samples + "/" + $0 }
      #expect(files.count > 5)
      #expect(try await invalid(files, kind) == [])
    }
  }

  @Test(.withSchemaCheck) func `check and the schemas agree about wrong records`() async throws {
    let wrong = WrongRecords().all
    #expect(wrong.count >= 200)
    for record in wrong {
      try folder.write(
        String(decoding: JSONValue.object(record.members).fileBytes(), as: UTF8.self),
        to: "\(record.kind.folder)/wrong/\(record.name).json")
    }
    let report = try JSONValue(parsing: Array(await perform("check", "--json").output.utf8))
    var refused: Set<String> = []
    for problem in report["problems"]?.array ?? [] where problem["severity"] == "error" {
      refused.insert(problem["file"]?.string ?? "")
    }
    var invalid: Set<String> = []
    for kind in EntityKind.writable {
      let names = wrong.filter { $0.kind == kind }.map { "\(kind.folder)/wrong/\($0.name).json" }
      invalid.formUnion(
        try await self.invalid(names.map(folder.path), kind).map {
          String($0.dropFirst(folder.path.count + 1))
        })
    }
    let unsaid = Set(
      wrong.filter(\.isBeyondSchemas).map { "\($0.kind.folder)/wrong/\($0.name).json" })
    #expect(unsaid.isSubset(of: refused))
    #expect(invalid.isDisjoint(with: unsaid))
    #expect(refused.subtracting(unsaid).symmetricDifference(invalid).sorted() == [])
    #expect(refused.count >= 200)
  }

  private static let samples =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
    + "/SampleData"

  /// Returns the files that are not valid by a kind's schema.
  private func invalid(_ files: [String], _ kind: EntityKind) async throws -> [String] {
    let schema = "\(kind.schema.noun).schema.json"
    try folder.write(await perform("schema", kind.schema.noun).output, to: schema)
    let running = try RunningProgram(
      ProgramStart(
        words: [
          SchemaCheck.program ?? "check-jsonschema", "--output-format", "json", "--schemafile",
          folder.path(schema),
        ] + files, environment: BuiltProgram(in: folder).environment, folder: folder.path))
    running.send("")
    let run = running.wait()
    #expect(run.code == 0 || run.code == 1, "\(run.errors)")
    let report = try JSONValue(parsing: run.bytes)
    #expect(report["parse_errors"] ?? [] == [])
    return Set((report["errors"]?.array ?? []).compactMap { $0["filename"]?.string }).sorted()
  }
}

/// check-jsonschema, which tells whether files are valid by a schema.
private enum SchemaCheck {
  static let program = ProcessInfo.processInfo.environment["STORIES_CHECK_JSONSCHEMA"]
}

extension Trait where Self == ConditionTrait {
  fileprivate static var withSchemaCheck: Self {
    .enabled(
      if: SchemaCheck.program != nil || ProcessInfo.processInfo.environment["CI"] != nil,
      "STORIES_CHECK_JSONSCHEMA names no check-jsonschema (pip install check-jsonschema)")
  }
}

/// Records that are each wrong in one way: every field with values that it cannot have.
private struct WrongRecords {
  struct Record {
    var kind: EntityKind
    var name: String
    var members: JSONObject
    /// Whether only `check` can tell.
    var isBeyondSchemas = false
  }

  private(set) var all: [Record] = []

  private static let right: [EntityKind: JSONObject] = [
    .heroes: ["name": "A", "age": 5, "traits": ["kind"]],
    .events: ["title": "A", "promptSeed": "A."],
    .stories: ["title": "A", "hero": "luna", "content": ["A."]],
  ]

  init() {
    for kind in EntityKind.writable {
      for field in kind.schema.fields {
        for key in field.keys { add(kind, field, key) }
        if field.isRequired, field.shape != .lines {
          add(kind, "\(field.key)-gone") { $0[field.key] = nil }
          add(kind, "\(field.key)-null") { $0[field.key] = .null }
        }
        if field.keys.count > 1 {
          add(kind, "\(field.key)-twice") {
            $0[field.keys[0]] = field.key == "hero" ? "luna" : "lost-tooth"
            $0[field.keys[1]] = "an-id"
          }
        }
      }
    }
    // What a schema cannot say: references, and lengths in UTF-16.
    add(.stories, "no-such-hero", isBeyondSchemas: true) { $0["hero"] = "nobody" }
    add(.stories, "no-such-event", isBeyondSchemas: true) { $0["event"] = "nothing" }
    add(.heroes, "moons", isBeyondSchemas: true) {
      $0["name"] = .string(String(repeating: "🌙", count: 101))
    }
  }

  private mutating func add(
    _ kind: EntityKind, _ name: String, isBeyondSchemas: Bool = false,
    _ change: (inout JSONObject) -> Void
  ) {
    var members = Self.right[kind] ?? JSONObject()
    change(&members)
    all.append(
      Record(
        kind: kind, name: name.lowercased(), members: members, isBeyondSchemas: isBeyondSchemas))
  }

  private mutating func add(_ kind: EntityKind, _ field: Field, _ key: String) {
    for (name, value) in Self.wrong(field.shape) {
      add(kind, "\(key)-\(name)") { members in
        for other in field.keys { members[other] = nil }
        members[key] = value
      }
    }
  }

  private static func text(_ count: Int) -> JSONValue {
    .string(String(repeating: "x", count: count))
  }

  private static let fraction: JSONValue =
    JSONNumber(literal: "5.5").map { .number($0) } ?? .null

  private static func wrong(_ shape: Field.Shape) -> [(String, JSONValue)] {
    let object: (String, JSONValue) = ("object", ["a": 1])
    let number: (String, JSONValue) = ("number", 7)
    let truth: (String, JSONValue) = ("true", true)
    let word: (String, JSONValue) = ("word", "seven")
    let list: (String, JSONValue) = ("list", ["a"])
    switch shape {
    case .text(let length):
      let empty: [(String, JSONValue)] =
        length.lowerBound > 0 ? [("empty", ""), ("blank", " \t")] : []
      return empty + [
        object, number, truth, list, ("list-of-none", []), ("fraction", Self.fraction),
        ("long", text(length.upperBound + 1)),
      ]
    case .choice:
      return [
        object, number, truth, list, word, ("empty", ""), ("upper", "EN"), ("list-of-none", []),
      ]
    case .lines:
      return [object, number, truth, ("numbers", [1]), ("mixed", ["a", nil]), ("nested", [["a"]])]
    case .phrases(let count, let length):
      return [
        object, number, truth, ("numbers", [1]), ("nulls", [nil]),
        ("long", text(length.upperBound + 1)), ("long-element", [text(length.upperBound + 1)]),
        ("many", .array(Array(repeating: "a", count: count.upperBound + 1))),
      ]
    case .integer(let range):
      return [
        object, truth, word, list, ("fraction", Self.fraction), ("digits", "7"),
        ("below", .number(JSONNumber(range.lowerBound - 1))),
        ("above", .number(JSONNumber(range.upperBound + 1))), ("negative", -100), ("empty", ""),
      ]
    case .number: return [object, truth, word, list]
    case .boolean:
      return [object, number, word, list, ("quoted", "true"), ("zero", 0), ("empty", "")]
    case .list(let count, let length):
      let none: [(String, JSONValue)] = count.lowerBound > 0 ? [("none", [])] : []
      return none + [
        object, number, truth, word, ("numbers", [1]), ("nulls", [nil]), ("mixed", ["a", 1]),
        ("many", .array(Array(repeating: "a", count: count.upperBound + 1))),
        ("long-element", [text(length.upperBound + 1)]), ("empty-element", [""]),
      ]
    case .reference:
      return [object, number, truth, list, ("empty", ""), ("fraction", Self.fraction)]
    }
  }
}
