import Foundation
import JSONText
import StoryLibrary
import StoryServer
import TestSupport

@testable import stories

/// One copy of a ``MixedLibrary`` with its server.
struct MixedCopy: Sendable {
  let folder: TemporaryFolder
  /// `nil` for the embedded one.
  let server: TestServer?
  /// The program, which works in the library.
  let program: BuiltProgram
  /// Whether the library counts as one on a drive with exFAT.
  let isOnDrive: Bool

  init(folder: TemporaryFolder, server: TestServer?, isOnDrive: Bool) throws {
    self.isOnDrive = isOnDrive
    self.folder = folder
    self.server = server
    var program = try BuiltProgram(in: folder)
    program.folder = folder.path("lib")
    if let server {
      program.environment["STORIES_SERVER"] = server.url
      program.environment["STORIES_TOKEN"] = try server.token()
    }
    self.program = program
  }

  var root: String { program.folder }

  /// The program that is killed at a change, or at none; see ``KillPoints``.
  func armed(at call: Int = 0, tears: Bool = false, log: String? = nil) -> BuiltProgram {
    KillPoints.arm(program, root, at: call, tears: tears, isOnDrive: isOnDrive, log: log)
  }

  // MARK: What can be compared

  /// Everything that matters afterwards, by name: each file's text, what each sidecar says, what the
  /// server has. Ids and dates, which differ from run to run, are left out; a reference is shown as
  /// the name of what it means.
  func outline() throws -> [String: String] {
    var result: [String: String] = [:]
    let names = try serverNames()
    for path in try paths() {
      let text = try folder.read("lib/\(path)")
      if path.contains("/.sync/") {
        let value = try JSONValue(parsing: Array(text.utf8))
        result[path] = plain(value, names).text
      } else if path == "library.json" {
        let value = try JSONValue(parsing: Array(text.utf8))
        result[path] = value.object?.members.map(\.key).joined(separator: " ")
      } else {
        result[path] = text
      }
    }
    for kind in RecordKind.allCases {
      // The embedded server may have taken its records from the sidecars since, without tombstones.
      let stored = try serverRecords(kind).filter { server != nil || !$0.isDeleted }
      let records = stored.map { record -> String in
        record.isDeleted ? "(deleted)" : plain(record.value ?? .null, names).text
      }
      result["server: \(kind.rawValue)"] = records.sorted().joined(separator: "\n")
    }
    result["journal"] = (try? folder.read("lib/.stories/journal")) ?? ""
    for entry in try FileSystem.list(folder.path("lib/.stories")) where entry.name == "spool" {
      result["spool"] = "is there"
    }
    return result
  }

  /// The versions that all runs have kept, each with its record and side.
  func kept() throws -> Set<String> {
    var result: Set<String> = []
    let runs = folder.path("lib/.stories/runs")
    guard FileSystem.exists(runs) else { return [] }
    let names = try serverNames()
    for run in try FileSystem.list(runs) {
      let path = "lib/.stories/runs/\(run.name)/saved.jsonl"
      for line in (try? folder.read(path))?.split(separator: "\n") ?? [] {
        guard let value = try? JSONValue(parsing: Array(line.utf8)),
          let text = value["text"]?.string, !text.isEmpty
        else { continue }
        let shown =
          (try? JSONValue(parsing: Array(text.utf8))).map { plain($0, names).text } ?? text
        result.insert("\(value["ref"]?.string ?? "") \(value["side"]?.string ?? "") \(shown)")
      }
    }
    return result
  }

  /// The names and titles of the server's records.
  func titles() throws -> [String] {
    try RecordKind.allCases.flatMap { kind in
      try serverRecords(kind).filter { !$0.isDeleted }.compactMap { record in
        (record.value?["name"] ?? record.value?["title"])?.string
      }
    }
  }

  private static let unstable: Set<String> = ["id", "createdAt", "updatedAt"]

  /// A value without what differs from run to run.
  private func plain(_ value: JSONValue, _ names: [String: String]) -> JSONValue {
    if let array = value.array { return .array(array.map { plain($0, names) }) }
    if let text = value.string, let name = names[text] { return .string(name) }
    guard let object = value.object else { return value }
    let members = object.members.filter { !Self.unstable.contains($0.key) }
    return .object(
      JSONObject(
        members.sorted { $0.key < $1.key }.map { (key: $0.key, value: plain($0.value, names)) }))
  }

  private func paths() throws -> [String] {
    var result: [String] = []
    func walk(_ inner: String) throws {
      for entry in try FileSystem.list(Path.join(root, inner)) where entry.name != ".stories" {
        let path = Path.join(inner, entry.name)
        if entry.type == .folder { try walk(path) } else { result.append(path) }
      }
    }
    try walk("")
    return result
  }

  private func serverNames() throws -> [String: String] {
    var names: [String: String] = [:]
    for kind in RecordKind.allCases {
      for record in try serverRecords(kind) {
        guard let value = record.value, let name = (value["name"] ?? value["title"])?.string
        else { continue }
        names[record.id] = "→ \(name)"
      }
    }
    return names
  }

  private func serverRecords(_ kind: RecordKind) throws -> [StoryServer.StoredRecord] {
    if let server { return try server.server.records(kind, of: TestServer.email) }
    // The program has ended, so its data is free.
    let options = ServerOptions(dataFolder: folder.path("lib/.stories/backend"))
    let server = try StoryServer(options: options)
    defer { server.stop() }
    return try server.records(kind, of: EmbeddedServer.account)
  }
}

extension JSONValue {
  fileprivate var text: String { String(decoding: compactBytes, as: UTF8.self) }
}
