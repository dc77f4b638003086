import JSONText
import StoryLibrary

/// A change, stored as one line of the log: eight hexadecimal digits of CRC-32, a space, and a JSON
/// object.
///
/// The checksum covers the object's bytes. `op` comes first and names the case. `data`, the record
/// or answer as sent over the wire, comes last, so that its bytes can be served without parsing.
/// Times are either `at` (microseconds since 1970, the order of records) or `time` (milliseconds of
/// the server's clock). A line with `key` also remembers an `Idempotency-Key`: `key` and `request`
/// are halves of SHA-256 digests.
enum LogEntry: Equatable {
  /// The first line: the format version.
  case log(version: Int)
  /// An account in its current form.
  case account(AccountEntry)
  /// A new session, which may replace another.
  case session(SessionEntry)
  /// The end of a session.
  case signOut(token: Digest)
  /// A record in its current form.
  case put(PutEntry)
  /// Deleted records.
  case delete(DeleteEntry)
  /// An answer to remember that is not a record.
  case answer(account: Int, remembered: RememberedRequest)
  /// Removes an account's records, tombstones and remembered answers, except the records with these ids
  /// and the answers that they are.
  case reset(account: Int, keeping: [RecordID])
  /// The account's state tag.
  case tag(account: Int, text: String?)
  /// Background work that outlives its request: a story's illustrations are to be drawn, or are
  /// done.
  case work(account: Int, story: RecordID, isOpen: Bool)
  /// The number of items of a kind made for an account since the start of the current hour.
  case use(account: Int, Allowance.Use)

  /// The newest format, which this version writes; it also reads older ones. Version 2 added
  /// illustrations, `work`, `use`, and separate times for records deleted together; version 3 a `reset`
  /// that keeps records.
  static let currentVersion = 3

  struct AccountEntry: Equatable {
    var number: Int
    var id: String
    var email: String
    var name: String?
    /// The password's hash by `crypt`, or `nil` if the account has no password to sign in with.
    var password: String?
    var createdAt: String
    /// The latest time given to a record so far.
    var clock: Timestamp
  }

  struct SessionEntry: Equatable {
    var account: Int
    var token: Digest
    var refresh: Digest
    var expiresAt: Int64
    var refreshExpiresAt: Int64
    var replaces: Digest?
  }

  struct PutEntry: Equatable {
    var account: Int
    var kind: RecordKind
    var id: RecordID
    var at: Timestamp
    var hero: RecordID?
    var remembered: RememberedRequest?
  }

  struct DeleteEntry: Equatable {
    var account: Int
    /// The time of the first item. Each further item is ``step`` later, so that no two share a
    /// time.
    var at: Timestamp
    var items: [Item]
    var remembered: RememberedRequest?
    /// In microseconds. 0 in logs of version 1.
    var step: Int64 = 1

    func time(ofItem index: Int) -> Timestamp {
      let (ahead, isTooLarge) = Int64(index).multipliedReportingOverflow(by: step)
      let (sum, isOver) = at.microseconds.addingReportingOverflow(ahead)
      return isTooLarge || isOver ? at : Timestamp(microseconds: sum)
    }

    var end: Timestamp { time(ofItem: max(0, items.count - 1)) }

    struct Item: Equatable {
      var kind: RecordKind
      var id: RecordID
    }
  }
}

/// A request with an `Idempotency-Key`, without the bytes of its answer.
struct RememberedRequest: Equatable {
  var key: HalfDigest
  var request: HalfDigest
  var status: Int
  /// The time of the answer, in milliseconds of the server's clock.
  var time: Int64

  /// Returns the bytes that identify a request.
  static func content(_ asked: String, _ body: JSONNode?) -> [UInt8] {
    Array(asked.utf8) + (body.map { $0.document.bytes[$0.range] } ?? [])
  }

  /// Returns the text that identifies, together with the body, what is asked for.
  static func asked(_ what: String, _ id: String) -> String {
    // The length separates the id from the body that follows.
    "\(what) \(id.utf8.count) \(id) "
  }
}

/// A line ready to be written, including its line end.
struct LogLine {
  private(set) var bytes: [UInt8]
  /// The range of `data` in ``bytes``. Empty if the entry has no data.
  private(set) var data: Range<Int>

  init(_ entry: LogEntry, data: [UInt8] = []) {
    var writer = JSONObjectWriter(reserving: data.count + 512)
    for case (let name, let value?) in entry.members { writer.append(name, value) }
    if entry.hasData { writer.append("data", written: data[...]) }
    let object = writer.finish()
    let check = object.withUnsafeBytes { CRC32.sum($0) }
    bytes = []
    bytes.reserveCapacity(object.count + Self.prefix + 1)
    bytes += "\(Hexadecimal.text(check)) ".utf8
    bytes += object
    // `data` is the last member, just before the closing brace.
    let end = bytes.count - 1
    self.data = entry.hasData ? end - data.count..<end : 0..<0
    bytes.append(UInt8(ascii: "\n"))
  }

  /// The number of bytes before the object: the checksum and a space.
  static let prefix = 9
}

extension LogEntry {
  fileprivate var hasData: Bool {
    switch self {
    case .put, .delete, .answer: true
    default: false
    }
  }

  /// The entry's members except `data`. Those without a value are left out.
  fileprivate var members: [(name: String, value: JSONValue?)] {
    switch self {
    case .log(let version): [("op", "log"), ("version", .number(version))]
    case .account(let account):
      [
        ("op", "account"), ("account", .number(account.number)), ("id", .string(account.id)),
        ("email", .string(account.email)), ("name", .text(account.name)),
        ("password", .text(account.password)), ("createdAt", .string(account.createdAt)),
        ("clock", .number(account.clock.microseconds)),
      ]
    case .session(let session):
      [
        ("op", "session"), ("account", .number(session.account)),
        ("token", .string(session.token.text)), ("refresh", .string(session.refresh.text)),
        ("expiresAt", .number(session.expiresAt)),
        ("refreshExpiresAt", .number(session.refreshExpiresAt)),
        ("replaces", session.replaces.map { .string($0.text) }),
      ]
    case .signOut(let token): [("op", "signOut"), ("token", .string(token.text))]
    case .put(let put):
      [
        ("op", "put"), ("account", .number(put.account)), ("kind", .string(put.kind.rawValue)),
        ("id", .string(put.id.text)), ("at", .number(put.at.microseconds)),
        ("hero", put.hero.map { .string($0.text) }),
      ] + Self.members(of: put.remembered)
    case .delete(let delete):
      [
        ("op", "delete"), ("account", .number(delete.account)),
        ("at", .number(delete.at.microseconds)),
        ("step", delete.step == 0 ? JSONValue?.none : .number(delete.step)),
        (
          "items",
          .array(delete.items.map { .array([.string($0.kind.rawValue), .string($0.id.text)]) })
        ),
      ] + Self.members(of: delete.remembered)
    case .answer(let account, let remembered):
      [("op", "answer"), ("account", .number(account))] + Self.members(of: remembered)
    case .reset(let account, let kept):
      [
        ("op", "reset"), ("account", .number(account)),
        ("keep", kept.isEmpty ? JSONValue?.none : .array(kept.map { .string($0.text) })),
      ]
    case .tag(let account, let text):
      [("op", "tag"), ("account", .number(account)), ("text", .text(text))]
    case .work(let account, let story, let isOpen):
      [
        ("op", "work"), ("account", .number(account)), ("story", .string(story.text)),
        ("open", .number(isOpen ? 1 : 0)),
      ]
    case .use(let account, let use):
      [
        ("op", "use"), ("account", .number(account)), ("what", .string(use.what.rawValue)),
        ("since", .number(use.since)), ("count", .number(use.count)),
      ]
    }
  }

  private static func members(
    of remembered: RememberedRequest?
  ) -> [(name: String, value: JSONValue?)] {
    guard let remembered else { return [] }
    return [
      ("key", .string(remembered.key.text)), ("request", .string(remembered.request.text)),
      ("status", .number(remembered.status)), ("time", .number(remembered.time)),
    ]
  }
}
