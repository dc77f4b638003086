import JSONText
import StoryServer
import TestSupport
import Testing

/// What is left of a data folder after the worst.
@Suite struct DurabilityTests {
  /// The lengths of the log's lines, line ends included.
  private func lines(_ log: [UInt8]) -> [Int] {
    log.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
      .map { $0.count + 1 }
  }

  private func open(_ log: some Sequence<UInt8>, in folder: TemporaryFolder) throws -> TestServer {
    try folder.write(log, to: "data/log")
    return try TestServer(folder: folder)
  }

  @Test func aLogCutOffAnywhereInItsLastLineKeepsAllBefore() throws {
    let folder = try TemporaryFolder()
    var server: TestServer? = try TestServer(folder: folder)
    let client = try #require(try server?.client())
    let first = try client.createHero("First")
    server?.clock.advance(milliseconds: 1)
    let key = ["Idempotency-Key": "k"]
    let last = try client.createHero("Last", headers: key)
    server = nil
    let log = try folder.bytes("data/log")
    let start = log.count - (lines(log).last ?? 0)
    for length in start..<log.count {
      let again = try open(log[..<length], in: folder)
      let records = try again.server.records(.heroes, of: TestServer.email)
      #expect(records.map(\.value) == [first], "cut off at \(length)")
      #expect(try folder.bytes("data/log").count == start, "the torn line is gone")
      // What was lost can be written again, at the place of the torn line.
      if length % 40 == 0 {
        let client = try again.client()
        #expect(try client.createHero("Last", headers: key).id != last.id)
        again.server.stop()
        let third = try TestServer(folder: folder)
        #expect(try third.server.records(.heroes, of: TestServer.email).count == 2)
      }
    }
    let whole = try open(log, in: folder)
    #expect(try whole.server.records(.heroes, of: TestServer.email).map(\.value) == [first, last])
  }

  @Test func anEmptyOrTornFirstLineIsANewLog() throws {
    let folder = try TemporaryFolder()
    var server: TestServer? = try TestServer(folder: folder)
    server = nil
    #expect(server == nil)
    let log = try folder.bytes("data/log")
    for length in 0..<log.count {
      let again = try open(log[..<length], in: folder)
      _ = try again.client().createHero("Luna")
    }
  }

  @Test func damageBeforeTheEndIsAnErrorWithItsLine() throws {
    let folder = try TemporaryFolder()
    var server: TestServer? = try TestServer(folder: folder)
    let client = try #require(try server?.client())
    for number in 0..<4 { _ = try client.createHero("Hero \(number)") }
    server = nil
    let log = try folder.bytes("data/log")
    var start = 0
    for (place, length) in lines(log).enumerated() {
      for offset in [0, 4, 8, 9, length / 2, length - 2] {
        var damaged = log
        damaged[start + offset] ^= 0x20
        #expect {
          try open(damaged, in: folder)
        } throws: { error in
          guard case .damagedLog(let path, place + 1, _) = error as? StoryServerError else {
            return false
          }
          return path == folder.path + "/data/log"
        }
        #expect(try folder.bytes("data/log") == damaged, "nothing is changed")
      }
      start += length
    }
    let missing = Array(log[(lines(log)[0])...])
    #expect(throws: StoryServerError.self, "the first line is missing") {
      try open(missing, in: folder)
    }
    let zeros = log + Array(repeating: 0, count: 4096)
    #expect(
      try open(zeros, in: folder).server.records(.heroes, of: TestServer.email).count == 4,
      "zeros without a line end are what a file system leaves of a torn line")
  }

  @Test func aNewerLogIsRefused() throws {
    let folder = try TemporaryFolder()
    var server: TestServer? = try TestServer(folder: folder)
    server = nil
    #expect(server == nil)
    let newer = "c49cb159 {\"op\":\"log\",\"version\":4}\n"
    #expect(
      throws: StoryServerError.unsupportedLogVersion(path: folder.path + "/data/log", version: 4)
    ) { try open(newer.utf8, in: folder) }
  }

  @Test func oneServerAFolder() throws {
    let folder = try TemporaryFolder()
    let server = try TestServer(folder: folder)
    #expect(throws: StoryServerError.dataFolderInUse(path: folder.path + "/data")) {
      try TestServer(folder: folder)
    }
    server.server.stop()
    _ = try TestServer(folder: folder).client()
  }

  @Test func filesAreForTheOwnerAlone() throws {
    let folder = try TemporaryFolder()
    let server = try TestServer(folder: folder)
    _ = try server.client()
    #expect(try folder.mode("data") == 0o700)
    #expect(try folder.mode("data/log") == 0o600)
    #expect(try folder.mode("data/lock") == 0o600)
  }

  @Test func missingFoldersAreMadeAndOthersRefused() throws {
    let folder = try TemporaryFolder()
    var options = ServerOptions(dataFolder: folder.path + "/a/b/c")
    try StoryServer(options: options).stop()
    #expect(try folder.mode("a/b/c") == 0o700)
    try folder.write([], to: "file")
    options.dataFolder = folder.path + "/file"
    #expect(throws: StoryServerError.self) { try StoryServer(options: options) }
    options.dataFolder = folder.path + "/file/below"
    #expect(throws: StoryServerError.self) { try StoryServer(options: options) }
  }
}
