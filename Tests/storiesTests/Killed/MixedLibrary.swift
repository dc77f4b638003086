import Foundation
import JSONText
import StoryLibrary
import StoryServer
import TestSupport

@testable import stories

/// A library of 40 records of all kinds that has everything to sync, and copies of it, each with a
/// server of its own: new records, edits, deletes and renames here, the same there, and records that
/// both sides changed, some of which become conflicts.
struct MixedLibrary: Sendable {
  /// What the copies are copies of.
  let folder: TemporaryFolder
  /// What the server had at the last sync; empty with the embedded one.
  private let records: [ImportedRecord]
  private let url: String
  private let account: String
  private let missing: Set<ServerFeature>

  /// A library that syncs with a server without these features.
  init(missing: Set<ServerFeature>) async throws {
    folder = try TemporaryFolder()
    self.missing = missing
    let server = try Self.server(missing, [])
    url = server.url
    let setting = try server.library(in: folder, "lib")
    try Self.writeRecords(folder)
    try Self.expect(await setting.run("sync"), .done)
    account = try Self.account(server)
    records = try RecordKind.allCases.flatMap { kind in
      try server.server.records(kind, of: TestServer.email).map { record in
        ImportedRecord(
          kind: kind, id: record.id, updatedAt: record.value?["updatedAt"]?.string ?? "",
          json: record.json)
      }
    }
    try Self.edit(folder)
  }

  /// A library that syncs with the embedded server, which nobody else changes.
  init() async throws {
    folder = try TemporaryFolder()
    (records, url, account, missing) = ([], "", "", [])
    let setting = CommandSetting(folder.path("lib"))
    try Self.expect(await setting.run("init"), .done)
    try Self.writeRecords(folder)
    try Self.expect(await setting.run("sync"), .done)
    try Self.edit(folder)
  }

  struct UnexpectedEnd: Error { var run: CommandRun }

  private static func expect(_ run: CommandRun, _ code: ExitCode) throws {
    guard run.code == code else { throw UnexpectedEnd(run: run) }
  }

  private static func server(
    _ missing: Set<ServerFeature>, _ records: [ImportedRecord]
  ) throws -> TestServer {
    try TestServer(records) { $0.features.subtract(missing) }
  }

  /// The account's id on a server.
  private static func account(_ server: TestServer) throws -> String {
    let answer = try server.server.perform("GET", "/api/user/profile", as: TestServer.email)
    return answer.value?["data"]?["id"]?.string ?? ""
  }

  /// A copy, with a server that others have changed since the last sync.
  func copy(isOnDrive: Bool = false) throws -> MixedCopy {
    let place = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: folder.path("lib"), toPath: place.path("lib"))
    guard !records.isEmpty else {
      return try MixedCopy(folder: place, server: nil, isOnDrive: isOnDrive)
    }
    let server = try Self.server(missing, records)
    for path in ["lib/library.json", "lib/.stories/pulls.json"] where place.exists(path) {
      let text = try place.read(path).replacingOccurrences(of: url, with: server.url)
      try place.write(
        text.replacingOccurrences(of: account, with: Self.account(server)), to: path)
    }
    try changeThere(server)
    return try MixedCopy(folder: place, server: server, isOnDrive: isOnDrive)
  }

  // MARK: Records

  private static func hero(_ name: String) -> String {
    "{\n  \"name\": \"\(name)\",\n  \"age\": 7,\n  \"traits\": [\"brave\"]\n}\n"
  }

  private static func event(_ title: String) -> String {
    "{\n  \"title\": \"\(title)\",\n  \"promptSeed\": \"Something happens.\"\n}\n"
  }

  private static func story(_ title: String, _ hero: String, _ event: String) -> String {
    """
    {
      "title": "\(title)",
      "hero": "\(hero)",
      "event": "\(event)",
      "content": [
        "The first line.",
        "",
        "The middle of it.",
        "",
        "The last line."
      ]
    }

    """
  }

  private static func writeRecords(_ folder: TemporaryFolder) throws {
    for n in 1...10 { try folder.write(hero("Hero \(n)"), to: "lib/heroes/h\(n).json") }
    for n in 1...8 { try folder.write(event("Event \(n)"), to: "lib/events/e\(n).json") }
    for n in 1...15 {
      try folder.write(
        story("Story \(n)", "h\(n % 3 + 1)", "e\(n % 2 + 1)"), to: "lib/stories/s\(n).json")
    }
  }

  /// What people wrote on either side since the last sync.
  static let written = [
    "loud", "Nothing", "My story", "My first line.", "My seventh", "My tenth", "New hero",
    "New event", "New story", "Another", "tall", "calm", "Their hero", "Their event", "It rains.",
    "Their fifth", "Their story", "Their seed.", "Their seventh", "Their last line.",
    "Their eleventh",
  ]

  private static func edit(_ folder: TemporaryFolder) throws {
    func edit(_ ref: String, _ old: String, _ new: String) throws {
      try folder.edit("lib/\(ref).json", old, to: new)
    }
    // Here alone.
    try edit("heroes/h4", "7", "8")
    try folder.move("lib/heroes/h3.json", to: "lib/heroes/trio.json")
    try folder.move("lib/heroes/h5.json", to: "lib/heroes/family/h5.json")
    try edit("heroes/family/h5", "brave", "loud")
    try folder.remove("lib/heroes/h6.json")
    try edit("events/e3", "Something", "Nothing")
    try folder.move("lib/events/e4.json", to: "lib/events/old/e4.json")
    try folder.remove("lib/events/e5.json")
    try edit("stories/s1", "Story 1", "My story")
    try edit("stories/s2", "The first line.", "My first line.")
    try folder.move("lib/stories/s3.json", to: "lib/stories/2026/s3.json")
    try folder.remove("lib/stories/s4.json")
    try folder.write(hero("New hero"), to: "lib/heroes/new.json")
    try folder.write(event("New event"), to: "lib/events/new.json")
    try folder.write(story("New story", "new", "new"), to: "lib/stories/new.json")
    try folder.write(story("Another", "h1", "e1"), to: "lib/stories/another.json")
    // On both sides, see `changeThere`.
    try edit("heroes/h9", "7", "5")
    try folder.remove("lib/heroes/h10.json")
    try edit("events/e8", "Something", "Nothing")
    try edit("stories/s7", "Story 7", "My seventh")
    try edit("stories/s8", "The first line.", "My first line.")
    try edit("stories/s9", "\"hero\"", "\"playCount\": 2,\n  \"hero\"")
    try edit("stories/s10", "Story 10", "My tenth")
    try folder.remove("lib/stories/s11.json")
  }

  /// What others do to the server's records.
  private func changeThere(_ server: TestServer) throws {
    var ids: [String: String] = [:]
    for record in records {
      let value = try JSONValue(parsing: record.json)
      ids[(value["name"] ?? value["title"])?.string ?? ""] = record.id
    }
    func send(_ method: String, _ path: String, _ body: JSONValue? = nil) throws {
      _ = try server.server.perform(method, "/api/\(path)", body: body, as: TestServer.email)
    }
    func id(_ name: String) -> String { ids[name] ?? "" }
    try send("PATCH", "heroes/\(id("Hero 7"))", ["height": "tall"])
    try send("DELETE", "heroes/\(id("Hero 8"))")
    try send("POST", "heroes", ["name": "Their hero", "age": 9, "traits": ["calm"]])
    try send("PATCH", "custom-events/\(id("Event 6"))", ["tone": "calm"])
    try send("DELETE", "custom-events/\(id("Event 7"))")
    try send("POST", "custom-events", ["title": "Their event", "promptSeed": "It rains."])
    try send("PATCH", "stories/\(id("Story 5"))", ["title": "Their fifth"])
    try send("DELETE", "stories/\(id("Story 6"))")
    try send(
      "POST", "stories",
      ["title": "Their story", "content": "A.\nB.", "heroId": .string(id("Hero 1"))])
    try send("PATCH", "heroes/\(id("Hero 9"))", ["age": 9])
    try send("PATCH", "heroes/\(id("Hero 10"))", ["age": 9])
    try send("PATCH", "custom-events/\(id("Event 8"))", ["promptSeed": "Their seed."])
    try send("PATCH", "stories/\(id("Story 7"))", ["title": "Their seventh"])
    let content = "The first line.\n\nThe middle of it.\n\nTheir last line."
    try send("PATCH", "stories/\(id("Story 8"))", ["content": .string(content)])
    try send("PATCH", "stories/\(id("Story 9"))", ["playCount": 3])
    try send("DELETE", "stories/\(id("Story 10"))")
    try send("PATCH", "stories/\(id("Story 11"))", ["title": "Their eleventh"])
  }
}
