import JSONText
import StoryAPI
import StoryLibrary

/// What a run is about to do, written and flushed before it does it: `.stories/journal`.
///
/// Each line is one entry; `{"done":n}` ends an entry. A run that finds open entries finishes them
/// first: it writes the sidecars of records that were written, and sends writes again unchanged,
/// with the same key. A torn last line was never acted on and is dropped.
final class Journal {
  /// A record gets new content, then its sidecar.
  struct FileChange: Sendable, Equatable {
    /// The number of its entry in the journal of an earlier run.
    var number = 0
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
  /// The changes of files that an earlier run did not finish.
  private(set) var unfinishedFiles: [FileChange] = []
  /// The writes that an earlier run did not finish.
  private(set) var unconfirmedWrites: [UnconfirmedWrite] = []

  /// Opens the journal of a library and reads the open entries of an earlier run.
  ///
  /// - Throws: `FileError`; `Problem` if the journal cannot be parsed.
  init(_ library: Library) throws {
    try library.prepareStateFolder()
    log = try AppendLog(library.statePath("journal"))
    var changes: [Int: FileChange] = [:]
    var writes: [Int: UnconfirmedWrite] = [:]
    var lines = LineReader(log)
    while let line = try lines.next() {
      if line.bytes.isEmpty { continue }
      let value = try? JSONValue(parsing: Array(line.bytes))
      let damage = Problem(
        .damagedJournal, file: ".stories/journal",
        position: TextPosition(line: line.number, column: 1))
      if let done = value?["done"]?.integer {
        (changes[done], writes[done]) = (nil, nil)
        continue
      }
      // Entries are counted, so that none has a number near the largest.
      guard let value, let number = value["entry"]?.integer, number < 1 << 53 else { throw damage }
      if value["write"] == nil, let change = FileChange(value, number: number) {
        changes[number] = change
      } else if let write = UnconfirmedWrite(value, number: number) {
        writes[number] = write
      } else {
        throw damage
      }
      next = max(next, number + 1)
    }
    unfinishedFiles = changes.values.sorted { $0.number < $1.number }
    unconfirmedWrites = writes.values.sorted { $0.number < $1.number }
    open = Set(unfinished)
    // What follows the last line feed was never acted on.
    if lines.end < log.end { try log.truncate(to: lines.end) }
  }

  /// The numbers of the entries that an earlier run did not finish.
  var unfinished: [Int] { unfinishedFiles.map(\.number) + unconfirmedWrites.map(\.number) }

  /// Writes entries before they are carried out; returns once they are flushed to disk.
  ///
  /// - Returns: the entries' numbers for ``finish(_:)``.
  func begin(_ changes: [FileChange]) throws -> [Int] { try add(changes.map(\.json)) }

  func begin(_ writes: [UnconfirmedWrite]) throws -> [Int] { try add(writes.map(\.json)) }

  private func add(_ entries: [JSONObject]) throws -> [Int] {
    guard !entries.isEmpty else { return [] }
    let numbers = next..<next + entries.count
    next = numbers.upperBound
    open.formUnion(numbers)
    var lines: [UInt8] = []
    for (number, entry) in zip(numbers, entries) {
      var line: JSONObject = ["entry": .number(number)]
      for member in entry.members { line[member.key] = member.value }
      lines += JSONValue.object(line).compactBytes + [0x0A]
    }
    try log.append(lines)
    try log.flush()
    return Array(numbers)
  }

  /// Marks entries as finished, also those of an earlier run. Once none is open, the journal is
  /// emptied.
  func finish(_ numbers: [Int]) throws {
    guard !numbers.isEmpty else { return }
    let finished = Set(numbers)
    unfinishedFiles.removeAll { finished.contains($0.number) }
    unconfirmedWrites.removeAll { finished.contains($0.number) }
    open.subtract(finished)
    if open.isEmpty { return try log.truncate(to: 0) }
    try log.append(
      numbers.flatMap { JSONValue.object(["done": .number($0)]).compactBytes + [0x0A] })
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

  fileprivate init?(_ value: JSONValue, number: Int) {
    guard let ref = value["ref"]?.string.flatMap({ RecordRef($0) }) else { return nil }
    self.number = number
    self.ref = ref
    before = value["before"]?.string.flatMap { ContentDigest($0) }
    after = value["after"]?.string.flatMap { ContentDigest($0) }
    sidecar = value["sidecar"]?.string.map { Array($0.utf8) }
    replaced = value["replaced"]?.string
    old = value["old"]?.string.flatMap { RecordRef($0) }
  }
}
