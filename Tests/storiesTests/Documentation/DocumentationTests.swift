import Foundation
import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// What pages of the DocC catalogs name must be there, and what they promise to list must be listed.
@Suite struct DocumentationTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  private static func page(_ target: String, _ name: String) throws -> String {
    try String(
      contentsOfFile: "\(root)/Sources/\(target)/\(target).docc/\(name).md", encoding: .utf8)
  }

  /// The texts of all Swift files in a folder of the project.
  private static func sources(_ folder: String) throws -> [String] {
    let path = root + "/" + folder
    let names = try #require(FileManager.default.enumerator(atPath: path))
    return try names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOfFile: path + "/" + $0, encoding: .utf8) }
  }

  @Test func testsThatShowARuleAreThere() throws {
    let page = try Self.page("StorySync", "WhatKeepsDataSafe")
    let named = page.matches(of: /`([A-Za-z]+Tests)(\.([A-Za-z0-9]+))?`/).map(\.output)
    #expect(named.count > 10)
    let tests = try Self.sources("Tests")
    for (_, suite, _, function) in named {
      let file = tests.first { $0.contains("struct \(suite) {") }
      #expect(file != nil, "there is no suite \(suite)")
      if let file, let function {
        #expect(file.contains("func \(function)("), "there is no \(suite).\(function)")
      }
    }
  }

  /// README.md and all pages, by their paths in the project.
  private static func pages() throws -> [(path: String, text: String)] {
    let names = try #require(FileManager.default.enumerator(atPath: root + "/Sources"))
    let paths = names.compactMap { $0 as? String }.filter { $0.hasSuffix(".md") }
    return try (["README.md"] + paths.map { "Sources/" + $0 }).map { path in
      (path: path, text: try String(contentsOfFile: root + "/" + path, encoding: .utf8))
    }
  }

  @Test func pathsThatPagesNameExist() throws {
    var folders: [String: String] = [:]
    for folder in ["Sources", "Tests"] {
      for target in try FileManager.default.contentsOfDirectory(atPath: Self.root + "/" + folder) {
        folders[target] = folder
      }
    }
    var count = 0
    for (page, text) in try Self.pages() {
      // `Sources/…` and `Tests/…`, also in links.
      var paths = text.matches(of: /\b(?:Sources|Tests)\/[A-Za-z0-9_+\/.-]*[A-Za-z0-9]/).map {
        String($0.output)
      }
      // `Target/Folder` between single backticks; double ones are around symbols, and a small letter
      // begins the name of a record.
      for match in text.matches(of: /(`+)([A-Za-z-]+)\/([A-Z][A-Za-z0-9_+\/.-]*)`/) {
        let (_, quote, target, rest) = match.output
        guard quote.count == 1, let folder = folders[String(target)] else { continue }
        paths.append("\(folder)/\(target)/\(rest)")
      }
      for path in paths {
        #expect(
          FileManager.default.fileExists(atPath: Self.root + "/" + path), "\(page) names \(path)")
      }
      count += paths.count
    }
    #expect(count > 20)
  }

  /// Names of Foundation, HTTP, JSON and the system in pages.
  private static let foreignNames: Set<Substring> = [
    "Alert", "Bearer", "CancellationError", "Date", "ETag", "Encodable", "Host", "HttpOnly",
    "Infinity", "NaN", "None",
    "Origin", "Range", "String", "True", "URLSession", "VmHWM",
  ]

  /// The names that the sources and tests declare, and those of their files, folders and pages.
  private static func declaredNames() throws -> Set<Substring> {
    let keywords: Set<Substring> = [
      "struct", "enum", "class", "actor", "protocol", "typealias", "case", "func", "let", "var",
    ]
    var names: Set<Substring> = ["Package", "SampleData"]
    for folder in ["Sources", "Tests"] {
      let paths = try #require(FileManager.default.enumerator(atPath: root + "/" + folder))
      for case let path as String in paths {
        names.insert(path.split(separator: "/").last?.split(separator: ".").first ?? "")
        guard path.hasSuffix(".swift") else { continue }
        let text = try String(contentsOfFile: "\(root)/\(folder)/\(path)", encoding: .utf8)
        var isDeclared = false
        for word in text.utf8.split(whereSeparator: { !isNameByte($0) }).map(Substring.init) {
          if isDeclared { names.insert(word) }
          isDeclared = keywords.contains(word)
        }
      }
    }
    return names
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// DocC checks only what is between double backticks.
  @Test func `types and members that pages name are declared`() throws {
    let declared = try Self.declaredNames().union(Self.foreignNames)
    var count = 0
    for (page, text) in try Self.pages() {
      // Lines of code blocks declare names of their own.
      let prose = text.components(separatedBy: "```").enumerated()
        .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
      for match in prose.matches(
        of: /(`+)([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)((?:\.[A-Za-z]+)*)(?:\([a-z_:]*\))?`/)
      where match.output.1.count == 1 && !match.output.3.hasSuffix(".swift") {
        for name in [match.output.2] + match.output.3.split(separator: ".") {
          #expect(declared.contains(name), "\(page) names \(match.output.0)")
        }
        count += 1
      }
    }
    #expect(count > 150)
  }

  /// The first cells of a table's rows, by the heading of its section.
  private static func names(in page: String, of section: String) throws -> [Substring] {
    let text = page.components(separatedBy: "\n## ").first { $0.hasPrefix(section + "\n") }
    let rows = try #require(text, "there is no section \(section)").split(separator: "\n").filter {
      $0.hasPrefix("| `")
    }
    // A bar within a cell is written with a backslash.
    return rows.map { $0[..<($0.firstRange(of: " | ")?.lowerBound ?? $0.endIndex)] }
  }

  /// The commands that somebody can give, each with the words that name it.
  private static func commands(
    _ list: [any Command.Type] = StoriesCommand.subcommands, below words: [String] = []
  ) -> [[String]] {
    list.flatMap { command in
      let path = words + [command.name]
      return command.subcommands.isEmpty ? [path] : commands(command.subcommands, below: path)
    }
  }

  /// Whoever uses a library may call its program something else. Only what git is told to run, and marks
  /// as its own in files of others, is `stories`; and what is passed on to other programs, or spares
  /// libcurl a proxy, is read from the environment.
  @Test func `no library names a command, or reads the environment`() throws {
    let names = Set(Self.commands().compactMap(\.first))
    let targets = try FileManager.default.contentsOfDirectory(atPath: Self.root + "/Sources")
      .filter { $0.hasPrefix("Story") || $0 == "JSONText" }
    #expect(targets.count == 8)
    var written: Set<Substring> = []
    for target in targets {
      for text in try Self.sources("Sources/" + target) {
        let passesOn = text.contains(/enum ProxyEnvironment|struct ChildProcess/)
        let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        for line in code {
          let isRead = line.contains("getenv(") || line.contains("processInfo.environment")
          #expect(!isRead || passesOn, "\(target): \(line)")
          guard line.contains("stories ") else { continue }
          for match in line.matches(of: /"[^"]*\bstories ([a-z-]+)[^"]*"/)
          where names.contains(String(match.output.1)) {
            written.insert(match.output.1)
            #expect(target == "StorySync" && match.output.1 == "git", "\(target): \(line)")
          }
        }
      }
    }
    #expect(written == ["git"])
  }

  @Test func everyCommandHasOneRow() throws {
    let page = try Self.page("stories", "CommandLine")
    // What each word may be: `new hero\|event` names two commands, and `remote [show]` is both.
    let listed = try Self.names(in: page, of: "Commands").flatMap { cell in
      cell.matches(of: /`([^`]+)`/).map { span in
        span.output.1.split(separator: " ").map { word in
          word.filter { !"[]".contains($0) }.components(separatedBy: #"\|"#)
        }
      }
    }
    for command in Self.commands() {
      let rows = listed.filter { $0.starts(with: command) { $0.contains($1) } }.count
      #expect(rows == 1, "CommandLine.md has \(rows) rows of \(command.joined(separator: " "))")
    }
    for code in ExitCode.allCases {
      #expect(page.contains("| \(code.rawValue) |"), "CommandLine.md lacks exit code \(code)")
    }
  }

  @Test func everySchemaHasOneRow() throws {
    let rows = try Self.names(in: Self.page("stories", "CommandLine"), of: "JSON")
    let schemas = try Self.sources("Sources").flatMap { text in
      text.matches(of: /"(stories\.[a-z-]+\/[0-9]+)"/).map { String($0.output.1) }
    }
    // Files of a library, and what another program prints, are described elsewhere.
    for schema in Set(schemas) where !["stories.run/1", "stories.bench/1"].contains(schema) {
      let count = rows.filter { $0.contains("`\(schema)`") }.count
      #expect(count == 1, "CommandLine.md has \(count) rows of \(schema)")
    }
  }

  /// A member of `--json` is a string in the program, or the name of a property or of a coding key.
  @Test func everyMemberOfADocumentIsWritten() throws {
    var known = try Self.declaredNames()
    for text in try Self.sources("Sources") {
      known.formUnion(text.utf8.split(separator: UInt8(ascii: "\"")).map { Substring($0) })
      for line in text.split(separator: "\n") where line.contains("case ") {
        known.formUnion(line.utf8.split { !Self.isNameByte($0) }.map { Substring($0) })
      }
    }
    let rows = try Self.page("stories", "CommandLine").split(separator: "\n").filter {
      $0.hasPrefix("| `stories.")
    }
    let members = rows.flatMap { $0.matches(of: /`([A-Za-z]+)`/).map(\.output.1) }
    #expect(members.count > 100)
    #expect(members.filter { !known.contains($0) } == [])
  }

  @Test("the format's tables have every field", arguments: EntityKind.writable)
  func everyFieldIsListed(_ kind: EntityKind) throws {
    let page = try Self.page("StoryLibrary", "TheLibraryOnDisk")
    let section = page.components(separatedBy: "### ").first {
      $0.lowercased().hasPrefix(kind.folder + "\n")
    }
    let table = try #require(section, "there is no table of \(kind.folder)")
    for field in kind.schema.fields {
      #expect(table.contains("`\(field.key)`"), "\(kind.folder) lack \(field.key)")
    }
  }
}
