import Foundation
import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import StoryServer

/// A log that somebody else wrote, with a check that is right.
@Suite struct HostileLogTests {
  static let numbers = [
    "9223372036854775807", "-9223372036854775808", "999999999999999999", "-999999999999999999",
    "-1", "4294967296", "0",
  ]

  private func line(_ text: String) -> String {
    let sum = Array(text.utf8).withUnsafeBytes { CRC32.sum($0) }
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits + " " + text + "\n"
  }

  @Test(arguments: numbers)
  func numbersInALog(_ number: String) throws {
    let digest = String(repeating: "0", count: 64)
    let half = String(repeating: "0", count: 32)
    let account =
      "{\"op\":\"account\",\"account\":0,\"id\":\"a\",\"email\":\"a@example.org\",\"createdAt\":\"\","
      + "\"clock\":\(number)}"
    for entry in [
      "{\"op\":\"log\",\"version\":\(number)}",
      "{\"op\":\"account\",\"account\":\(number),\"id\":\"b\",\"email\":\"b\",\"createdAt\":\"\",\"clock\":0}",
      "{\"op\":\"session\",\"account\":0,\"token\":\"\(digest)\",\"refresh\":\"\(digest)\","
        + "\"expiresAt\":\(number),\"refreshExpiresAt\":\(number)}",
      "{\"op\":\"put\",\"account\":0,\"kind\":\"heroes\",\"id\":\"x\",\"at\":\(number),\"key\":\"\(half)\","
        + "\"request\":\"\(half)\",\"status\":\(number),\"time\":\(number),\"data\":{\"id\":\"x\"}}",
      "{\"op\":\"put\",\"account\":\(number),\"kind\":\"heroes\",\"id\":\"x\",\"at\":0,\"data\":{\"id\":\"x\"}}",
      "{\"op\":\"delete\",\"account\":0,\"at\":\(number),\"step\":\(number),"
        + "\"items\":[[\"heroes\",\"x\"],[\"heroes\",\"y\"],[\"heroes\",\"z\"]]}",
      "{\"op\":\"answer\",\"account\":0,\"key\":\"\(half)\",\"request\":\"\(half)\",\"status\":200,"
        + "\"time\":\(number)}",
      "{\"op\":\"work\",\"account\":0,\"story\":\"s\",\"open\":\(number)}",
      "{\"op\":\"use\",\"account\":0,\"what\":\"avatar_generation\",\"since\":\(number),\"count\":\(number)}",
    ] {
      let folder = try TemporaryFolder()
      let log =
        line("{\"op\":\"log\",\"version\":\(LogEntry.currentVersion)}") + line(account)
        + line(entry)
      #expect(mkdir(folder.path + "/data", 0o700) == 0)
      try folder.write(Array(log.utf8), to: "data/log")
      // It is read or refused, whatever it says.
      guard let server = try? StoryServer(options: ServerOptions(dataFolder: folder.path + "/data"))
      else { continue }
      _ = try? server.issueToken(email: "a@example.org")
      for record in (try? server.records(.heroes, of: "a@example.org")) ?? [] { _ = record.json }
      server.stop()
    }
  }

  @Test(arguments: [
    Int64.min, .max, -1, 0, 300_000_000_000_000_000, -62_167_219_200_000_001, 1 << 60,
  ])
  func moments(_ number: Int64) {
    for moment in [Timestamp(microseconds: number), Timestamp(milliseconds: number)] {
      for text in [moment.text, moment.version, moment.next.text, moment.nextMillisecond.text] {
        #expect(Timestamp(text) != nil, "\(text)")
      }
      #expect(moment.httpDate.hasSuffix(" GMT"))
    }
  }

  @Test func aMomentBeforeTheYearZeroIsItsStart() {
    #expect(Timestamp("0000-01-01T00:00:00+23:59")?.text == "0000-01-01T00:00:00.000Z")
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300, -5])
  func lengths(_ seconds: Double) {
    #expect(JSONValue.seconds(seconds) != .null)
  }

  @Test(arguments: numbers + ["1e400", "2147483647", "\"x\"", "null"])
  func counts(_ number: String) throws {
    let node = try JSONDocument(parsing: Array("{\"n\":\(number)}".utf8)).root["n"]
    #expect((1...Int(Int32.max)).contains(Service.oneMore(than: node)))
  }

  @Test func aDataFolderOfOthersIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/data"
    #expect(mkdir(path, 0o700) == 0)
    for mode in [0o770, 0o707, 0o777, 0o1777] as [mode_t] {
      #expect(chmod(path, mode) == 0)
      #expect(throws: StoryServerError.self) {
        try StoryServer(options: ServerOptions(dataFolder: path))
      }
    }
    #expect(chmod(path, 0o755) == 0)
    try StoryServer(options: ServerOptions(dataFolder: path)).stop()
    guard geteuid() == 0 else { return }
    #expect(chown(path, 12_345, 12_345) == 0)
    #expect(throws: StoryServerError.self) {
      try StoryServer(options: ServerOptions(dataFolder: path))
    }
  }

  @Test func linksInADataFolderAreNotFollowed() throws {
    for name in ["log", "lock", "media", "media/0"] {
      let folder = try TemporaryFolder()
      for made in ["outside", "data"] + (name == "media" ? [] : ["data/media"]) {
        #expect(mkdir(folder.path + "/" + made, 0o700) == 0)
      }
      try folder.write(Array("theirs".utf8), to: "outside/witness")
      #expect(symlink(folder.path + "/outside", folder.path + "/data/" + name) == 0)
      let server = try? TestServer(folder: folder)
      if let client = try server?.client() {
        let hero = try client.createHero("Luna")
        #expect(try client.send("POST", "/api/heroes/\(hero.id)/avatar").status == 507)
        #expect(try client.send("DELETE", "/api/heroes/\(hero.id)").status < 300)
      }
      #expect((server == nil) == ["log", "lock"].contains(name))
      if server == nil {
        let error = #expect(throws: StoryServerError.self) { try TestServer(folder: folder) }
        #expect(String(describing: error).contains("replace the link with what it points to"))
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/outside") == ["witness"]
      )
    }
  }
}
