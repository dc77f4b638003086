import JSONText
import StoryLibrary

extension LogEntry {
  struct Damage: Error, Equatable {
    var reason: String
  }

  /// Parses a line, given without its line end.
  ///
  /// - Returns: The entry, and the range of its `data` in the line.
  static func read(
    _ line: UnsafeRawBufferPointer
  ) throws(Damage) -> (entry: LogEntry, data: Range<Int>) {
    guard line.count > LogLine.prefix, line[LogLine.prefix - 1] == UInt8(ascii: " ") else {
      throw Damage(reason: "it does not start with a check")
    }
    // Only lowercase digits are valid, so that a flipped bit in the checksum is always noticed.
    let digits = line[..<(LogLine.prefix - 1)]
    guard let expected = Hexadecimal.word(digits), digits.allSatisfy({ $0 & 0x60 != 0x40 }) else {
      throw Damage(reason: "it does not start with a check")
    }
    let body = UnsafeRawBufferPointer(rebasing: line[LogLine.prefix...])
    guard UInt64(CRC32.sum(body)) == expected else { throw Damage(reason: "its check is wrong") }
    // `data` is the last member. It is not parsed: it may be large, and nest as deep as JSON may.
    let mark = body.firstRange(of: Array(",\"data\":".utf8))
    let brace = UInt8(ascii: "}")
    let members = mark.map { Array(body[..<$0.lowerBound]) + [brace] } ?? Array(body)
    guard let document = try? JSONDocument(parsing: members),
      mark.map({ $0.upperBound < body.count && body[body.count - 1] == brace }) ?? true
    else { throw Damage(reason: "it is not valid JSON") }
    guard let entry = LogEntry(document.root) else { throw Damage(reason: "unknown entry") }
    return (entry, mark.map { $0.upperBound + LogLine.prefix..<line.count - 1 } ?? 0..<0)
  }

  private init?(_ node: JSONNode) {
    func text(_ name: String) -> String? { node[name]?.string }
    func number(_ name: String) -> Int? { node[name]?.number?.integer }
    func time(_ name: String) -> Int64? { number(name).flatMap { LogEntry.time($0) } }
    let op = text("op")
    if op == "log", let version = number("version") {
      self = .log(version: version)
      return
    }
    if op == "signOut", let token = text("token").flatMap(Digest.init) {
      self = .signOut(token: token)
      return
    }
    guard let account = number("account") else { return nil }
    switch op {
    case "account":
      guard let id = text("id"), let email = text("email"), let createdAt = text("createdAt"),
        let clock = number("clock")
      else { return nil }
      self = .account(
        AccountEntry(
          number: account, id: id, email: email, name: text("name"), password: text("password"),
          createdAt: createdAt, clock: Timestamp(microseconds: Int64(clock))))
    case "session":
      guard let token = text("token").flatMap(Digest.init),
        let refresh = text("refresh").flatMap(Digest.init), let expiresAt = time("expiresAt"),
        let refreshExpiresAt = time("refreshExpiresAt")
      else { return nil }
      self = .session(
        SessionEntry(
          account: account, token: token, refresh: refresh, expiresAt: expiresAt,
          refreshExpiresAt: refreshExpiresAt,
          replaces: text("replaces").flatMap(Digest.init)))
    case "put":
      guard let kind = text("kind").flatMap(RecordKind.init), let id = text("id"),
        let at = number("at")
      else { return nil }
      self = .put(
        PutEntry(
          account: account, kind: kind, id: RecordID(id), at: Timestamp(microseconds: Int64(at)),
          hero: text("hero").map { RecordID($0) }, remembered: RememberedRequest(node)))
    case "delete":
      guard let at = number("at"), let items = node["items"] else { return nil }
      var parsed: [DeleteEntry.Item] = []
      for item in items.elements {
        let parts = item.elements.map { $0.string }
        guard parts.count == 2, let kind = parts[0].flatMap(RecordKind.init(rawValue:)),
          let id = parts[1]
        else { return nil }
        parsed.append(DeleteEntry.Item(kind: kind, id: RecordID(id)))
      }
      self = .delete(
        DeleteEntry(
          account: account, at: Timestamp(microseconds: Int64(at)), items: parsed,
          remembered: RememberedRequest(node), step: Int64(number("step") ?? 0)))
    case "answer":
      guard let remembered = RememberedRequest(node) else { return nil }
      self = .answer(account: account, remembered: remembered)
    case "reset":
      let kept = node["keep"]?.elements.map(\.string) ?? []
      guard !kept.contains(nil) else { return nil }
      self = .reset(account: account, keeping: kept.compactMap { $0.map { RecordID($0) } })
    case "tag": self = .tag(account: account, text: text("text"))
    case "work":
      guard let story = text("story"), let open = number("open") else { return nil }
      self = .work(account: account, story: RecordID(story), isOpen: open == 1)
    case "use":
      guard let what = text("what").flatMap(Making.init), let since = time("since"),
        let count = number("count"), (0...Int(Int32.max)).contains(count)
      else { return nil }
      self = .use(account: account, Allowance.Use(what: what, since: since, count: count))
    default: return nil
    }
  }

  /// Returns a number of milliseconds since 1970, or `nil` if it is so large that adding a lifetime
  /// could overflow.
  fileprivate static func time(_ number: Int) -> Int64? {
    let moment = Int64(number)
    return moment.magnitude <= 1 << 60 ? moment : nil
  }
}

extension RememberedRequest {
  fileprivate init?(_ node: JSONNode) {
    guard let key = node["key"]?.string.flatMap({ HalfDigest($0.utf8) }),
      let request = node["request"]?.string.flatMap({ HalfDigest($0.utf8) }),
      let status = node["status"]?.number?.integer,
      let time = node["time"]?.number?.integer.flatMap({ LogEntry.time($0) })
    else { return nil }
    self.init(key: key, request: request, status: status, time: time)
  }
}
