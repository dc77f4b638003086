import Foundation
import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import StoryServer

@Suite struct MediaFolderTests {
  @Test func aServerInMemoryHasAFolderFromItsFirstFileToItsEnd() throws {
    let server = try TestServer()
    let path = server.server.service.workshop.media.path
    #expect(!FileManager.default.fileExists(atPath: path))
    let client = try server.client()
    let hero = try client.createHero("Luna")
    #expect(try client.send("POST", "/api/heroes/\(hero.id)/avatar").status == 200)
    #expect(FileManager.default.fileExists(atPath: path))
    server.server.stop()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// A record that a checkout of another branch took away may come back, and needs its picture then.
  @Test(arguments: [false, true])
  func filesOfRecordsThatAnImportTookAwayStayUntilThereIsNoRoom(isOld: Bool) throws {
    let folder = try TemporaryFolder()
    var options = ServerOptions(dataFolder: folder.path + "/data")
    options.passwordCost = 1
    options.generation.mediaBytes = 1_000_000
    let (email, record) = ("a@example.org", JSONValue.object(["name": "L", "age": 7]))
    func hero(_ id: String) -> ImportedRecord {
      ImportedRecord(
        kind: .heroes, id: id, updatedAt: "2026-01-01T00:00:00Z", json: record.compactBytes)
    }
    func pictures() -> [String] {
      (FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? [])
        .filter { $0.hasSuffix(".png") }
    }
    func draw(_ id: String, taking ids: [String]) throws -> Int {
      let server = try StoryServer(options: options)
      defer { server.stop() }
      #expect(try server.replaceRecords(of: email, with: ids.map(hero)).isEmpty)
      return try server.perform("POST", "/api/heroes/\(id)/avatar", as: email).status
    }
    #expect(try draw("one", taking: ["one"]) == 200)
    let first = try #require(pictures().first)
    #expect(try draw("two", taking: ["two"]) == 200)
    #expect(pictures().count == 2)
    let path = folder.path(first)
    let size = try #require(try FileSystem.status(path)?.size)
    options.generation.mediaBytes = 2 * size + size / 2
    if isOld {
      let modified = Int(Date().timeIntervalSince1970 - 7_200) * 1_000_000_000
      try FileSystem.setModified(Path.parent(path), modified)
    }
    #expect(try draw("three", taking: ["two", "three"]) == (isOld ? 200 : 507))
    #expect(pictures().contains(first) == !isOld)
    #expect(pictures().count == 2)
  }

  /// What a server that is killed leaves of a file that was being made.
  @Test func halfAFileIsGoneAtTheNextStart() throws {
    let folder = try TemporaryFolder()
    let data = folder.path + "/data"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    let media = MediaFolder(dataFolder: ConfinedPath(root: data, ""))
    func name(_ random: UInt64) throws -> MediaName {
      MediaName(
        account: 0, kind: .heroes, record: RecordID("h"), type: .png, random: random)
    }
    func add(_ random: UInt64, _ half: () -> Void) throws {
      try media.add(try name(random), [1, 2, 3], limit: 1_000, pause: half)
    }
    let killed = folder.path + "/killed"
    try add(1) {}
    try add(2) { try? FileManager.default.copyItem(atPath: data, toPath: killed) }
    func files(_ path: String) -> [String] {
      (FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? [])
        .filter { $0.hasSuffix(".png") }
    }
    #expect(files(data).count == 2)
    #expect(files(killed).count == 2, "one whole and one half")
    var options = ServerOptions(dataFolder: killed)
    options.passwordCost = 1
    let server = try StoryServer(options: options)
    defer { server.stop() }
    let left = files(killed + "/media")
    #expect(left.count == 1)
    #expect(left.first?.hasSuffix(try name(1).file) == true, "\(left)")
  }
}
