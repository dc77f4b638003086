import JSONText
import StoryAPI
import StoryLibrary

/// What a run is about to do, written and flushed before it does it: `.stories/journal`.
///
/// Each line is one entry; `{"done":n}` ends an entry. A run that finds open entries finishes them
/// first: it writes the sidecars of records that were written, and sends writes again unchanged,
/// with the same key. A torn last line was never acted on and is dropped.
final class Journal {
  enum Entry {
    /// A record gets new content, then its sidecar.
    case files(FileChange)
    case write(UnconfirmedWrite)
  }

  struct FileChange: Sendable, Equatable {
    var ref: RecordRef
    /// The record's digest before the change, or `nil` if there was no record.
    var before: ContentDigest?
    /// The record's digest after the change, or `nil` if it is removed.
    var after: ContentDigest?
    /// The sidecar's new text, or `nil` if it is removed.
    var sidecar: [UInt8]?
    /// The revision in the sidecar that this one replaces. It is empty if the old sidecar is missing
    /// or unreadable, and `nil` in journals of earlier versions, which did not note it.
    var replaced: String?
    /// The old name of a renamed record, whose sidecar is removed.
    var old: RecordRef?
  }

  private let log: AppendLog
  private var next = 0
  /// The numbers of the entries that are not finished.
  private var open: Set<Int> = []
  /// Open entries of an earlier run, with their numbers.
  private(set) var unfinished: [(number: Int, entry: Entry)] = []

  /// Opens the journal of a library and reads the open entries of an earlier run.
  ///
  /// - Throws: `FileError`; `Problem` if the journal cannot be parsed.
  init(_ library: Library) throws {
    try library.prepareStateFolder()
    log = try AppendLog(library.statePath("journal"))
    var entries: [Int: Entry] = [:]
    var lines = LineReader(log)
    while let line = try lines.next() {
      if line.bytes.isEmpty { continue }
      let value = try? JSONValue(parsing: Array(line.bytes))
      if let done = value?["done"]?.integer {
        entries[done] = nil
      } else if let number = value?["entry"]?.integer, let value, let entry = Entry(value) {
        entries[number] = entry
        next = max(next, number + 1)
      } else {
        throw Problem(
          .damagedJournal, file: ".stories/journal",
          position: TextPosition(line: line.number, column: 1))
      }
    }
    unfinished = entries.sorted { $0.key < $1.key }.map { (number: $0.key, entry: $0.value) }
    open = Set(entries.keys)
    // What follows the last line feed was never acted on.
    if lines.end < log.end { try log.truncate(to: lines.end) }
  }

  /// Writes entries before they are carried out; returns once they are flushed to disk.
  ///
  /// - Returns: the entries' numbers for ``finish(_:)``.
  func begin(_ entries: [Entry]) throws -> [Int] {
    guard !entries.isEmpty else { return [] }
    let numbers = next..<next + entries.count
    next = numbers.upperBound
    open.formUnion(numbers)
    try log.append(zip(numbers, entries).flatMap { $1.json(number: $0).compactBytes + [0x0A] })
    try log.flush()
    return Array(numbers)
  }

  /// Marks entries as finished, also those of an earlier run. Once none is open, the journal is
  /// emptied.
  func finish(_ numbers: [Int]) throws {
    guard !numbers.isEmpty else { return }
    let finished = Set(numbers)
    unfinished.removeAll { finished.contains($0.number) }
    open.subtract(finished)
    if open.isEmpty { return try log.truncate(to: 0) }
    try log.append(
      numbers.flatMap { JSONValue.object(["done": .number(JSONNumber($0))]).compactBytes + [0x0A] })
  }

  var unconfirmedWrites: [UnconfirmedWrite] {
    unfinished.compactMap { number, entry in
      guard case .write(var write) = entry else { return nil }
      write.number = number
      return write
    }
  }

  /// The records whose file changes an earlier run did not finish.
  var unfinishedFiles: [RecordRef] {
    unfinished.compactMap { if case .files(let change) = $0.entry { change.ref } else { nil } }
  }
}

extension Journal.Entry {
  fileprivate func json(number: Int) -> JSONValue {
    var object: JSONObject = ["entry": .number(JSONNumber(number))]
    let members =
      switch self {
      case .files(let change): change.json
      case .write(let lost): lost.json
      }
    for member in members.members { object[member.key] = member.value }
    return .object(object)
  }

  fileprivate init?(_ value: JSONValue) {
    if value["write"] != nil {
      guard let lost = UnconfirmedWrite(value) else { return nil }
      self = .write(lost)
    } else {
      guard let change = Journal.FileChange(value) else { return nil }
      self = .files(change)
    }
  }
}

extension Journal.FileChange {
  fileprivate var json: JSONObject {
    var object: JSONObject = ["ref": .string(ref.description)]
    if let before { object["before"] = .string(before.description) }
    if let after { object["after"] = .string(after.description) }
    if let sidecar { object["sidecar"] = .string(String(decoding: sidecar, as: UTF8.self)) }
    if let replaced { object["replaced"] = .string(replaced) }
    if let old { object["old"] = .string(old.description) }
    return object
  }

  fileprivate init?(_ value: JSONValue) {
    guard let ref = value["ref"]?.string.flatMap({ RecordRef($0) }) else { return nil }
    self.ref = ref
    before = value["before"]?.string.flatMap { ContentDigest($0) }
    after = value["after"]?.string.flatMap { ContentDigest($0) }
    sidecar = value["sidecar"]?.string.map { Array($0.utf8) }
    replaced = value["replaced"]?.string
    old = value["old"]?.string.flatMap { RecordRef($0) }
  }
}
