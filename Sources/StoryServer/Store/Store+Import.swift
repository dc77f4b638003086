import JSONText

extension Store {
  /// Replaces an account's records, except those to keep, and its state tag.
  ///
  /// Also removes tombstones, and remembered answers other than records that are kept. The
  /// account's clock stays, and so do the illustrations of stories that stay: a client that has the
  /// records may not have those. Illustrations that are being drawn are continued. The tag is
  /// written last: after a crash it is missing, and the caller starts over. Nobody else may use the
  /// store in the meantime.
  ///
  /// - Returns: The records that were refused.
  /// - Throws: `StoryServerError` if the log cannot be written.
  func replaceRecords(
    of account: Int, with records: some Sequence<ImportedRecord>, stateTag: String?,
    keeping stays: (String) -> Bool
  ) throws(StoryServerError) -> [RefusedRecord] {
    var refused: [RefusedRecord] = []
    var collections = RecordKind.allCases.map { _ in RecordCollection() }
    var clock = Timestamp(microseconds: 0)
    var answers: [(RememberedRequest, LogRange)] = []
    // Lines to be written together. Their offsets are known only afterwards.
    var pending: [UInt8] = []
    var waiting: [(kind: Int, put: LogEntry.PutEntry, data: Range<Int>)] = []

    func write() throws(StoryServerError) {
      let start = try withState { (state) throws(StoryServerError) in
        try appendUnapplied(pending, to: &state)
      }
      for (kind, put, data) in waiting {
        let range = LogRange(offset: start + data.lowerBound, length: data.count)
        collections[kind].put(put.id, at: put.at, hero: put.hero, data: range)
        if let remembered = put.remembered { answers.append((remembered, range)) }
      }
      pending.removeAll(keepingCapacity: true)
      waiting.removeAll(keepingCapacity: true)
    }

    func take(_ put: LogEntry.PutEntry, _ data: [UInt8]) throws(StoryServerError) {
      let line = LogLine(.put(put), data: data)
      let kind = RecordKind.allCases.firstIndex(of: put.kind) ?? 0
      let start = pending.count
      waiting.append((kind, put, start + line.data.lowerBound..<start + line.data.upperBound))
      pending += line.bytes
      clock = max(clock, put.at)
      if pending.count > 1 << 18 { try write() }
    }

    let before = withState { state in
      (
        records: RecordKind.allCases.map { kind in (kind, state[account][kind].ordered) },
        pictures: state[account][.illustrations].ordered, work: state[account].work,
        remembered: state[account].memory.entries
      )
    }
    var stories: Set<RecordID> = []
    var pictures: Set<RecordID> = []
    var unfinished: [RecordID] = []
    // Keeps records, with the idempotency keys whose answers they are.
    func takeStaying() throws(StoryServerError) {
      var keys: [LogRange: RememberedRequest] = [:]
      for (key, entry) in before.remembered {
        keys[entry.answer] = RememberedRequest(
          key: key, request: entry.request, status: entry.status, time: entry.time)
      }
      for (kind, slots) in before.records where kind != .illustrations {
        for slot in slots where !slot.isDeleted && stays(slot.id.text) {
          if kind == .stories { stories.insert(slot.id) }
          let data = try file.read(slot.data)
          let hero = (try? JSONDocument(parsing: data))?.root["heroId"]?.string
          let put = LogEntry.PutEntry(
            account: account, kind: kind, id: slot.id, at: slot.at, hero: hero.map { RecordID($0) },
            remembered: keys[slot.data])
          try take(put, data)
        }
      }
    }

    pending += LogLine(.reset(account: account)).bytes
    // Written first and together with the reset, because these records exist nowhere else.
    try takeStaying()
    try write()
    for record in records {
      switch Self.entry(for: record, account: account) {
      case .failure(let refusal): refused.append(refusal)
      case .success(let (put, data, awaitsPictures)):
        if put.kind == .stories { stories.insert(put.id) }
        if put.kind == .illustrations { pictures.insert(put.id) }
        if awaitsPictures { unfinished.append(put.id) }
        try take(put, data)
      }
    }
    for slot in before.pictures where !slot.isDeleted && !pictures.contains(slot.id) {
      let data = try file.read(slot.data)
      let story = (try? JSONDocument(parsing: data))?.root["storyId"]?.string.map { RecordID($0) }
      guard let story, stories.contains(story) else { continue }
      let put = LogEntry.PutEntry(
        account: account, kind: .illustrations, id: slot.id, at: slot.at, hero: story,
        remembered: nil)
      try take(put, data)
    }
    try write()
    unfinished += before.work.filter { stories.contains($0) && !unfinished.contains($0) }
    try withState { (state) throws(StoryServerError) in
      state[account].removeRecords()
      for (remembered, range) in answers {
        state[account].memory.remember(remembered, answer: range)
      }
      for (index, kind) in RecordKind.allCases.enumerated() {
        state[account][kind] = collections[index]
      }
      state[account].note(clock)
      var entries = unfinished.map {
        (entry: LogEntry.work(account: account, story: $0, isOpen: true), data: [UInt8]())
      }
      entries.append((.tag(account: account, text: stateTag), []))
      try append(entries, to: &state, of: account)
    }
    try waitUntilStored()
    return refused
  }

  private static func entry(
    for record: ImportedRecord, account: Int
  ) -> Result<(LogEntry.PutEntry, [UInt8], awaitsPictures: Bool), RefusedRecord> {
    func refused(
      _ reason: String
    ) -> Result<(LogEntry.PutEntry, [UInt8], awaitsPictures: Bool), RefusedRecord> {
      .failure(RefusedRecord(kind: record.kind, id: record.id, reason: reason))
    }
    guard !record.id.isEmpty else { return refused("it has no id") }
    guard let at = Timestamp(record.updatedAt) else {
      return refused("its updatedAt is not a date and time: “\(record.updatedAt)”")
    }
    do {
      let imported = try RecordWriter.imported(
        record.json, of: record.kind, id: record.id, updatedAt: record.updatedAt)
      guard let imported else { return refused("it is not an object") }
      let put = LogEntry.PutEntry(
        account: account, kind: record.kind, id: RecordID(record.id),
        // Leave room for later times, which must still fit a year of four digits.
        at: min(at, Self.latestImport), hero: imported.owner,
        remembered: nil)
      return .success((put, imported.bytes, imported.awaitsPictures))
    } catch {
      return refused("\(error)")
    }
  }

  private static let latestImport = Timestamp(
    milliseconds: Timestamp.latest.milliseconds - 365 * 86_400_000)
}

/// A record to import as it is, including its id, times and unknown members.
public struct ImportedRecord: Sendable {
  /// The record's kind.
  public var kind: RecordKind
  /// The record's id. Any text that is not empty.
  public var id: String
  /// The record's revision, kept verbatim. It may have 0 to 9 fraction digits and any UTC offset.
  public var updatedAt: String
  /// The record as JSON in wire form. `id` and `updatedAt` are optional.
  public var json: [UInt8]

  /// Creates a record to import.
  public init(kind: RecordKind, id: String, updatedAt: String, json: [UInt8]) {
    self.kind = kind
    self.id = id
    self.updatedAt = updatedAt
    self.json = json
  }
}

/// A record that could not be imported.
public struct RefusedRecord: Error, Sendable, Equatable {
  /// The record's kind.
  public var kind: RecordKind
  /// The record's id.
  public var id: String
  /// The reason, worded to follow the record's name.
  public var reason: String
}
