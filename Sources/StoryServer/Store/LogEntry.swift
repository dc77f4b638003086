import JSONText
import StoryLibrary

/// One change as a line of the log: eight hexadecimal digits of CRC-32, a space, a JSON object.
///
/// The check covers the object's bytes. `op` comes first and says what the line is; `data`, the
/// record or answer as the wire has it, comes last, so that its bytes can be found and served
/// without being parsed. Times are `at` (microseconds since 1970, the order of records) and `time`
/// (milliseconds of the server's clock). A line with `key` also remembers an `Idempotency-Key`:
/// `key` and `request` are halves of SHA-256 digests.
enum LogEntry: Equatable {
  /// The first line: the format.
  case log(version: Int)
  /// An account as it now is.
  case account(AccountEntry)
  /// A new session, which may take the place of another.
  case session(SessionEntry)
  /// The end of a session.
  case signOut(token: Digest)
  /// A record as it now is.
  case put(PutEntry)
  /// Records that are gone.
  case delete(DeleteEntry)
  /// An answer to remember that belongs to no record.
  case answer(account: Int, remembered: RememberedRequest)
  /// All records, tombstones and remembered answers of an account are dropped.
  case reset(account: Int)
  /// The account's state tag.
  case tag(account: Int, text: String?)
  /// Work that goes on behind the answers: the pictures of a story are to be made, or they are done.
  case work(account: Int, story: RecordID, isOpen: Bool)
  /// How much an account has had made since the start of an hour.
  case use(account: Int, Allowance.Use)

  /// The newest format that this program reads and writes. Version 2 added illustrations, `work`,
  /// `use`, and the times of records that are deleted together.
  static let currentVersion = 2

  struct AccountEntry: Equatable {
    var number: Int
    var id: String
    var email: String
    var name: String?
    /// What `crypt` made of the password; `nil` where nobody can sign in with one.
    var password: String?
    var createdAt: String
    /// The highest time given to a record so far.
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
    /// The time of the first item. Each further one is ``step`` later: no two changes share one.
    var at: Timestamp
    var items: [Item]
    var remembered: RememberedRequest?
    /// In microseconds; 0 in logs of version 1.
    var step: Int64 = 1

    /// The time of an item.
    func time(ofItem index: Int) -> Timestamp {
      let (ahead, isTooLarge) = Int64(index).multipliedReportingOverflow(by: step)
      let (sum, isOver) = at.microseconds.addingReportingOverflow(ahead)
      return isTooLarge || isOver ? at : Timestamp(microseconds: sum)
    }

    /// The time of the last item.
    var end: Timestamp { time(ofItem: max(0, items.count - 1)) }

    struct Item: Equatable {
      var kind: RecordKind
      var id: RecordID
    }
  }
}

/// What is kept of a request with an `Idempotency-Key`, besides the bytes of its answer.
struct RememberedRequest: Equatable {
  var key: HalfDigest
  var request: HalfDigest
  var status: Int
  /// When it was answered, in milliseconds of the server's clock.
  var time: Int64
}

/// A line as it is written, with its line end.
struct LogLine {
  private(set) var bytes: [UInt8]
  /// Where `data` stands in ``bytes``; empty where the entry has none.
  private(set) var data: Range<Int>

  /// Writes an entry, with the bytes of its `data` where it has some.
  init(_ entry: LogEntry, data: [UInt8] = []) {
    bytes = Array("00000000 {".utf8)
    bytes.reserveCapacity(data.count + 256)
    self.data = 0..<0
    switch entry {
    case .log(let version):
      append("op", text: "log", isFirst: true)
      append("version", number: version)
    case .account(let account):
      append("op", text: "account", isFirst: true)
      append("account", number: account.number)
      append("id", text: account.id)
      append("email", text: account.email)
      append("name", text: account.name)
      append("password", text: account.password)
      append("createdAt", text: account.createdAt)
      append("clock", number: account.clock.microseconds)
    case .session(let session):
      append("op", text: "session", isFirst: true)
      append("account", number: session.account)
      append("token", text: session.token.text)
      append("refresh", text: session.refresh.text)
      append("expiresAt", number: session.expiresAt)
      append("refreshExpiresAt", number: session.refreshExpiresAt)
      if let replaces = session.replaces { append("replaces", text: replaces.text) }
    case .signOut(let token):
      append("op", text: "signOut", isFirst: true)
      append("token", text: token.text)
    case .put(let put):
      append("op", text: "put", isFirst: true)
      append("account", number: put.account)
      append("kind", text: put.kind.rawValue)
      append("id", text: put.id.text)
      append("at", number: put.at.microseconds)
      if let hero = put.hero { append("hero", text: hero.text) }
      append(put.remembered)
      append(data: data)
    case .delete(let delete):
      append("op", text: "delete", isFirst: true)
      append("account", number: delete.account)
      append("at", number: delete.at.microseconds)
      if delete.step != 0 { append("step", number: delete.step) }
      append(delete.items)
      append(delete.remembered)
      append(data: data)
    case .answer(let account, let remembered):
      append("op", text: "answer", isFirst: true)
      append("account", number: account)
      append(remembered)
      append(data: data)
    case .reset(let account):
      append("op", text: "reset", isFirst: true)
      append("account", number: account)
    case .tag(let account, let text):
      append("op", text: "tag", isFirst: true)
      append("account", number: account)
      append("text", text: text)
    case .work(let account, let story, let isOpen):
      append("op", text: "work", isFirst: true)
      append("account", number: account)
      append("story", text: story.text)
      append("open", number: isOpen ? 1 : 0)
    case .use(let account, let use):
      append("op", text: "use", isFirst: true)
      append("account", number: account)
      append("what", text: use.what.rawValue)
      append("since", number: use.since)
      append("count", number: use.count)
    }
    bytes.append(UInt8(ascii: "}"))
    let check = bytes.withUnsafeBytes {
      CRC32.checksum(UnsafeRawBufferPointer(rebasing: $0[LogLine.prefix...]))
    }
    bytes.replaceSubrange(0..<8, with: Hexadecimal.text(check).utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// How many bytes stand before the object: the check and a space.
  static let prefix = 9

  private mutating func append(_ name: String, isFirst: Bool = false) {
    bytes.append(text: isFirst ? "\"\(name)\":" : ",\"\(name)\":")
  }

  private mutating func append(_ name: String, text: String?, isFirst: Bool = false) {
    append(name, isFirst: isFirst)
    bytes.append(jsonString: text)
  }

  private mutating func append(_ name: String, number: some BinaryInteger) {
    append(name)
    bytes.append(number: number)
  }

  private mutating func append(_ remembered: RememberedRequest?) {
    guard let remembered else { return }
    append("key", text: remembered.key.text)
    append("request", text: remembered.request.text)
    append("status", number: remembered.status)
    append("time", number: remembered.time)
  }

  private mutating func append(_ items: [LogEntry.DeleteEntry.Item]) {
    append("items")
    for (place, item) in items.enumerated() {
      bytes.append(text: place == 0 ? "[[" : ",[")
      bytes.append(jsonString: item.kind.rawValue)
      bytes.append(UInt8(ascii: ","))
      bytes.append(jsonString: item.id.text)
      bytes.append(UInt8(ascii: "]"))
    }
    bytes.append(text: items.isEmpty ? "[]" : "]")
  }

  private mutating func append(data: [UInt8]) {
    append("data")
    let start = bytes.count
    bytes.append(contentsOf: data)
    self.data = start..<bytes.count
  }
}
