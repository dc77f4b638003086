import JSONText
import StoryLibrary
import Testing

@testable import StoryServer

@Suite struct LogEntryTests {
  private static let remembered = RememberedRequest(
    key: SHA256.digest("key").half, request: SHA256.digest("request").half, status: 201,
    time: 1_795_168_800_000)

  private static let entries: [LogEntry] = [
    .log(version: 1),
    .account(
      .init(
        number: 0, id: "a", email: "ann@example.org", name: "Ann \"A\"\n", password: "$y$x",
        createdAt: "2026-11-20T10:00:00.000Z", clock: Timestamp(microseconds: 7))),
    .account(
      .init(
        number: 1, id: "b", email: "bob@example.org", name: nil, password: nil,
        createdAt: "2026-11-20T10:00:00.000Z", clock: Timestamp(microseconds: 0))),
    .session(
      .init(
        account: 0, token: SHA256.digest("t"), refresh: SHA256.digest("r"), expiresAt: 1,
        refreshExpiresAt: 2, replaces: nil)),
    .session(
      .init(
        account: 0, token: SHA256.digest("u"), refresh: SHA256.digest("s"), expiresAt: 1,
        refreshExpiresAt: 2, replaces: SHA256.digest("t"))),
    .signOut(token: SHA256.digest("u")),
    .put(
      .init(
        account: 0, kind: .heroes, id: RecordID("luna"), at: Timestamp(microseconds: 1_234),
        hero: nil, remembered: nil)),
    .put(
      .init(
        account: 3, kind: .stories, id: RecordID("x\"\\\t\u{E9}🦊"),
        at: Timestamp(microseconds: -5), hero: RecordID("h\\"), remembered: remembered)),
    .delete(
      .init(
        account: 0, at: Timestamp(microseconds: 9),
        items: [
          .init(kind: .heroes, id: RecordID("luna")), .init(kind: .stories, id: RecordID("\"")),
        ], remembered: remembered)),
    .delete(.init(account: 0, at: Timestamp(microseconds: 9), items: [], remembered: nil)),
    .answer(account: 0, remembered: remembered),
    .reset(account: 0, keeping: []), .reset(account: 0, keeping: [RecordID("a"), RecordID("\"")]),
    .tag(account: 0, text: "digest"),
    .tag(account: 0, text: nil),
    .work(account: 1, story: RecordID("s\""), isOpen: true),
    .work(account: 1, story: RecordID("s"), isOpen: false),
    .use(account: 0, .init(what: .avatar, since: 1_795_168_800_000, count: 3)),
  ]

  @Test(arguments: entries)
  func isReadAsItWasWritten(_ entry: LogEntry) throws {
    let content = Array(#"{"id":"1","name":"a \"b\" }"}"#.utf8)
    let hasData =
      switch entry {
      case .put, .delete, .answer: true
      default: false
      }
    let line = LogLine(entry, data: hasData ? content : [])
    #expect(line.bytes.last == UInt8(ascii: "\n"))
    #expect(line.bytes.count { $0 == UInt8(ascii: "\n") } == 1)
    let body = Array(line.bytes.dropLast())
    let (read, data) = try body.withUnsafeBytes { try LogEntry.read($0) }
    #expect(read == entry)
    if hasData {
      #expect(data == line.data)
      #expect(Array(body[data]) == content)
    }
    #expect(throws: Never.self) { try JSONDocument(parsing: Array(body.dropFirst(9))) }
  }

  @Test(arguments: entries.prefix(7))
  func everyChangedByteIsSeen(_ entry: LogEntry) {
    let line = Array(LogLine(entry, data: Array("{}".utf8)).bytes.dropLast())
    for index in line.indices {
      var damaged = line
      damaged[index] ^= 1
      #expect(throws: LogEntry.Damage.self, "byte \(index)") {
        try damaged.withUnsafeBytes { try LogEntry.read($0) }
      }
    }
  }

  @Test func linesThatCannotBeEntries() {
    for text in ["", "x", "00000000 {}", "zzzzzzzz {}", "00000000", "{\"op\":\"log\"}"] {
      #expect(throws: LogEntry.Damage.self, "\(text)") {
        try Array(text.utf8).withUnsafeBytes { try LogEntry.read($0) }
      }
    }
  }
}
