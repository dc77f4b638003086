import Foundation
import StoryLibrary
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

  @Test func everyCommandIsListed() throws {
    let page = try Self.page("stories", "CommandLine")
    for command in StoriesCommand.subcommands {
      #expect(
        page.contains("| `\(command.name)") || page.contains(", `\(command.name)"),
        "CommandLine.md does not list \(command.name)")
    }
    for code in ExitCode.allCases {
      #expect(page.contains("| \(code.rawValue) |"), "CommandLine.md lacks exit code \(code)")
    }
    let schemas = try Self.sources("Sources").flatMap { text in
      text.matches(of: /"(stories\.[a-z-]+\/[0-9]+)"/).map { String($0.output.1) }
    }
    // Files of a library, and what another program prints, are described elsewhere.
    for schema in Set(schemas) where !["stories.run/1", "stories.bench/1"].contains(schema) {
      #expect(page.contains("`\(schema)`"), "CommandLine.md does not describe \(schema)")
    }
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
