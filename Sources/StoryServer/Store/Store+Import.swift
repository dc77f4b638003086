import JSONText

extension Store {
  /// Replaces an account's records, except those to keep, and its state tag.
  ///
  /// Also removes tombstones, and remembered answers other than records that are kept. The
  /// account's clock stays, and so do the illustrations of stories that stay: a client that has the
  /// records may not have those. Illustrations that are being drawn are continued. The first line
  /// says what stays, and the tag is written last: after a crash it is missing, or empty if something
  /// stayed, and the caller starts over. Nobody else may use the store in the meantime.
  ///
  /// - Returns: The records that were refused.
  /// - Throws: `StoryServerError` if the log cannot be written.
  func replaceRecords(
    of account: Int, with records: some Sequence<ImportedRecord>, stateTag: String?,
    isComplete: () -> Bool, keeping stays: (String) -> Bool
  ) throws(StoryServerError) -> [RefusedRecord] {
    var refused: [RefusedRecord] = []
    // Entries to be written together, and the number of bytes of their records.
    var pending: [(entry: LogEntry, data: [UInt8])] = []
    var size = 0

    func write() throws(StoryServerError) {
      try withState { (state) throws(StoryServerError) in
        try append(pending, to: &state)
      }
      (pending, size) = ([], 0)
    }

    let before = withState { $0[account] }
    // These exist nowhere else, and a story that comes keeps its pictures, if not at the first attempt.
    let kept = RecordKind.written.flatMap { kind in
      before[kind].slots.filter { !$0.isDeleted && stays($0.id.text) }.map { (kind, $0.id) }
    }
    let old = before[.illustrations].slots.filter { !$0.isDeleted }
    var stories = Set(kept.filter { $0.0 == .stories }.map(\.1))
    var pictures: Set<RecordID> = []
    var unfinished: [RecordID] = []
    pending = [(.reset(account: account, keeping: kept.map(\.1) + old.map(\.id)), [])]
    try write()
    for record in records {
      do throws(RefusedRecord) {
        let (put, data, awaitsPictures) = try Self.entry(for: record, account: account)
        if put.kind == .stories { stories.insert(put.id) }
        if put.kind == .illustrations { pictures.insert(put.id) }
        if awaitsPictures { unfinished.append(put.id) }
        pending.append((.put(put), data))
        size += data.count
      } catch {
        refused.append(error)
      }
      if size > 1 << 18 { try write() }
    }
    let gone = old.filter { slot in
      !pictures.contains(slot.id) && !(slot.owner.map(stories.contains) ?? false)
    }
    if !gone.isEmpty, refused.isEmpty, isComplete() {
      let items = gone.map { LogEntry.DeleteEntry.Item(kind: .illustrations, id: $0.id) }
      let delete = LogEntry.DeleteEntry(account: account, at: before.entry.clock.next, items: items)
      pending.append((.delete(delete), Array("null".utf8)))
    }
    unfinished += before.work.filter { stories.contains($0) && !unfinished.contains($0) }
    for story in unfinished {
      pending.append((.work(account: account, story: story, isOpen: true), []))
    }
    if let stateTag { pending.append((.tag(account: account, text: stateTag), [])) }
    try write()
    try waitUntilStored()
    return refused
  }

  private static func entry(
    for record: ImportedRecord, account: Int
  ) throws(RefusedRecord) -> (LogEntry.PutEntry, [UInt8], awaitsPictures: Bool) {
    func refused(_ reason: String) -> RefusedRecord {
      RefusedRecord(kind: record.kind, id: record.id, reason: reason)
    }
    guard !record.id.isEmpty else { throw refused("it has no id") }
    guard let at = Timestamp(record.updatedAt) else {
      throw refused("its updatedAt is not a date and time: “\(record.updatedAt)”")
    }
    let document: JSONDocument
    do throws(JSONSyntaxError) {
      document = try JSONDocument(parsing: record.json)
    } catch {
      throw refused("\(error)")
    }
    let text = RecordText.imported(document, id: record.id, updatedAt: record.updatedAt)
    guard let text else { throw refused("it is not an object") }
    let put = LogEntry.PutEntry(
      account: account, kind: record.kind, id: RecordID(record.id),
      // Leave room for later times, which must still fit a year of four digits.
      at: min(at, Self.latestImport),
      hero: record.kind.ownerField.flatMap { document.root[$0]?.string }.map { RecordID($0) },
      remembered: nil)
    let pictures = record.kind == .stories ? document.root["illustrationStatus"]?.string : nil
    return (put, text, pictures == "pending" || pictures == "processing")
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
