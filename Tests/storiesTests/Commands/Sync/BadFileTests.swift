import Foundation
import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

/// A file that cannot be read, as a record and as a sidecar, and every command: the other records go
/// on, nothing is deleted or made twice, and the file stays as it is until somebody repairs it.
@Suite(.inTurn) struct BadFileTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Puts the bad file in the place of a good one.
    var damage: @Sendable (TemporaryFolder, String) throws -> Void
  }

  static let cases = [
    Case(testDescription: "git's conflict markers") { folder, path in
      let text = try folder.read(path)
      try folder.write("<<<<<<< HEAD\n\(text)=======\n\(text)>>>>>>> other\n", to: path)
    },
    Case(testDescription: "JSON that is cut off") { folder, path in
      try folder.write(String(folder.read(path).dropLast(12)), to: path)
    },
    Case(testDescription: "an empty file") { folder, path in try folder.write("", to: path) },
    Case(testDescription: "invalid UTF-8") { folder, path in
      try Data([0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x7D]).write(
        to: URL(fileURLWithPath: folder.path(path)))
    },
    Case(testDescription: "a folder") { folder, path in
      try folder.remove(path)
      try FileSystem.makeFolder(folder.path(path))
    },
    Case(testDescription: "a link that points out") { folder, path in
      try folder.write(folder.read(path), to: "outside.json")
      try folder.remove(path)
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(path), withDestinationPath: folder.path("outside.json"))
    },
  ]

  enum Place: String, Sendable, CaseIterable {
    case record = "lib/heroes/luna.json"
    case sidecar = "lib/heroes/.sync/luna.json"
  }

  private struct World {
    let folder: TemporaryFolder
    let server: TestServer
    let setting: CommandSetting

    /// A synced library, of which otto is edited here and nova on the server.
    init() async throws {
      folder = try TemporaryFolder()
      server = try TestServer()
      setting = try server.library(in: folder, "lib")
      try folder.write(SampleLibrary.luna, to: "lib/heroes/luna.json")
      try folder.write(SampleLibrary.otto, to: "lib/heroes/otto.json")
      try folder.write(SampleLibrary.otto, to: "lib/heroes/nova.json")
      try folder.edit("lib/heroes/nova.json", "Otto", to: "Nova")
      #expect(await setting.run("sync").code == .done)
      try folder.edit("lib/heroes/otto.json", "4", to: "5")
      let ref = RecordRef(kind: .heroes, name: "nova")
      let id = try Sidecar(bytes: FileSystem.read(folder.path("lib/\(ref.sidecarPath)")), ref: ref)
        .id
      _ = try server.server.perform(
        "PATCH", "/api/heroes/\(id)", body: ["height": "tall"], as: TestServer.email)
    }

    func heroes() throws -> [String] {
      try server.server.records(.heroes, of: TestServer.email).filter { !$0.isDeleted }
        .compactMap { $0.value?["name"]?.string }.sorted()
    }
  }

  /// What lies at a path: its bytes, or what it is.
  private func content(_ folder: TemporaryFolder, _ path: String) -> String {
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder.path(path)) {
      return "link to \(target)"
    }
    guard let bytes = FileManager.default.contents(atPath: folder.path(path)) else {
      return folder.exists(path) ? "a folder" : "nothing"
    }
    return bytes.map { String($0, radix: 16) }.joined(separator: " ")
  }

  @Test(arguments: cases, Place.allCases)
  func lookingAtItTellsAndChangesNothing(_ row: Case, _ place: Place) async throws {
    let world = try await World()
    try row.damage(world.folder, place.rawValue)
    let before = content(world.folder, place.rawValue)
    let status = await world.setting.run("status", "--json")
    #expect(status.code == .done)
    let records = status.json?["records"]?.array ?? []
    #expect(records.contains { $0["ref"] == "heroes/otto" && $0["state"] == "pendingUpdate" })
    #expect(records.contains { $0["ref"] == "heroes/luna" && $0["state"] == "unreadable" })
    let check = await world.setting.run("check", "--json")
    #expect(check.code == .failed)
    let file = String(place.rawValue.dropFirst(4))
    #expect(check.json?["problems"]?.array?.contains { $0["file"]?.string == file } == true)
    let doctor = await world.setting.run("doctor", "--json")
    #expect(doctor.json?["findings"]?.array?.contains { $0["file"]?.string == file } == true)
    #expect(content(world.folder, place.rawValue) == before)
  }

  @Test(arguments: cases, Place.allCases)
  func theOtherRecordsGoOn(_ row: Case, _ place: Place) async throws {
    for words in [["push"], ["pull"], []] {
      let world = try await World()
      let text = try world.folder.read("lib/heroes/luna.json")
      try row.damage(world.folder, place.rawValue)
      let before = content(world.folder, place.rawValue)
      let run = await world.setting.run(["sync"] + words + ["--json"])
      #expect([.done, .failed].contains(run.code), "\(words): \(run.errors)")
      if place == .record { #expect(run.code == .failed) }
      if words != ["pull"] {
        #expect(run.json?["sent"]?["updated"] == ["heroes/otto"], "\(words)")
      }
      if words != ["push"] {
        #expect(run.json?["received"]?["updated"] == ["heroes/nova"], "\(words)")
      }
      #expect(run.json?["sent"]?["created"] == [], "\(words)")
      #expect(run.json?["sent"]?["deleted"] == [], "\(words)")
      #expect(try world.heroes() == ["Luna", "Nova", "Otto"])
      if place == .record {
        #expect(content(world.folder, place.rawValue) == before)
      } else {
        #expect(try world.folder.read("lib/heroes/luna.json") == text)
      }
      if world.folder.exists("outside.json") {
        #expect(try !world.folder.read("outside.json").isEmpty)
      }
    }
  }

  @Test(arguments: cases, Place.allCases)
  func fixingItLosesNothing(_ row: Case, _ place: Place) async throws {
    let world = try await World()
    let text = try world.folder.read("lib/heroes/luna.json")
    try row.damage(world.folder, place.rawValue)
    let before = content(world.folder, place.rawValue)
    _ = await world.setting.run("doctor", "--fix", "--json")
    if place == .record {
      #expect(content(world.folder, place.rawValue) == before)
      // Somebody repairs it.
      try world.folder.remove(place.rawValue)
      try world.folder.write(text, to: place.rawValue)
    } else {
      #expect(try world.folder.read("lib/heroes/luna.json") == text)
      if content(world.folder, place.rawValue) == before { try world.folder.remove(place.rawValue) }
    }
    let run = await world.setting.run("sync")
    #expect(run.code == .done, "\(run.errors)")
    #expect(try world.heroes() == ["Luna", "Nova", "Otto"])
    #expect(await world.setting.run("status", "--exit-code").code == .done)
    #expect(try world.folder.read("lib/heroes/luna.json") == text)
  }
}
