import JSONText
import StoryAPI
import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The journal of a run, `.stories/journal`: what it is about to do, flushed before it does it.
///
/// Each line is one entry; `{"done":n}` ends an entry. A run that finds open entries finishes them
/// first: it writes the sidecars of records that were written, and sends writes again unchanged,
/// with the same key. A torn last line was never acted on and is dropped.
final class Journal {
  enum Entry {
    /// A record gets new content, then its sidecar.
    case files(FileChange)
    /// A write is sent to the server.
    case write(UnconfirmedWrite)
  }

  /// A change to a record and its sidecar.
  struct FileChange: Sendable, Equatable {
    var ref: RecordRef
    /// The record's digest before the change, or `nil` if there was no record.
    var before: ContentDigest?
    /// The record's digest after the change, or `nil` if it is removed.
    var after: ContentDigest?
    /// The sidecar's new text, or `nil` if it is removed.
    var sidecar: [UInt8]?
    /// The old name of a renamed record, whose sidecar is removed.
    var old: RecordRef?
  }

  private let path: ConfinedPath
  private let descriptor: Int32
  private var next = 0
  private var openCount = 0
  /// Open entries of an earlier run, with their numbers.
  private(set) var leftovers: [(number: Int, entry: Entry)] = []

  /// Opens the journal of a library and reads the open entries of an earlier run.
  ///
  /// - Throws: `FileError`; `Problem` if the journal cannot be parsed.
  init(_ library: Library) throws {
    try library.prepareStateFolder()
    path = library.statePath("journal")
    descriptor = try FileSystem.open(path, O_RDWR | O_CREAT)
    let bytes = try FileSystem.read(path, limit: 1 << 30)
    try read(bytes)
    // Text after the last line feed was cut off while it was written, and never acted on. It is
    // removed because the next entry would be appended to it.
    let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    guard end < bytes.count else { return }
    guard ftruncate(descriptor, off_t(end)) == 0 else {
      throw FileError(.write, path: path.text, code: errno)
    }
  }

  deinit { close(descriptor) }

  private func read(_ bytes: [UInt8]) throws {
    var open: [Int: Entry] = [:]
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (place, line) in lines.dropLast().enumerated() where !line.isEmpty {
      let value = try? JSONValue(parsing: Array(line))
      if let done = value?["done"]?.integer {
        open[done] = nil
      } else if let number = value?["entry"]?.integer, let value, let entry = Entry(value) {
        open[number] = entry
        next = max(next, number + 1)
      } else {
        throw Problem(
          .unreadable, file: ".stories/journal", position: TextPosition(line: place + 1, column: 1),
          message: "this line of the journal is damaged",
          hint: "look at the file; remove it to go on without what it says")
      }
    }
    leftovers = open.sorted { $0.key < $1.key }.map { (number: $0.key, entry: $0.value) }
    openCount = leftovers.count
  }

  /// Writes entries before they are carried out; returns once they are flushed to disk.
  ///
  /// - Returns: the entries' numbers for ``finish(_:)``.
  func begin(_ entries: [Entry]) throws -> [Int] {
    guard !entries.isEmpty else { return [] }
    let numbers = next..<next + entries.count
    next = numbers.upperBound
    openCount += entries.count
    try append(zip(numbers, entries).flatMap { $1.json(number: $0).compactBytes + [0x0A] })
    guard fsync(descriptor) == 0 else { throw FileError(.flush, path: path.text, code: errno) }
    return Array(numbers)
  }

  /// Marks entries as finished. Once none is open, the journal is emptied.
  func finish(_ numbers: [Int]) throws {
    guard !numbers.isEmpty else { return }
    openCount -= numbers.count
    if openCount <= 0 {
      guard ftruncate(descriptor, 0) == 0 else {
        throw FileError(.write, path: path.text, code: errno)
      }
      openCount = 0
      return
    }
    try append(
      numbers.flatMap { JSONValue.object(["done": .number(JSONNumber($0))]).compactBytes + [0x0A] })
  }

  /// The unconfirmed writes of an earlier run.
  var unconfirmedWrites: [UnconfirmedWrite] {
    leftovers.compactMap { number, entry in
      guard case .write(var write) = entry else { return nil }
      write.number = number
      return write
    }
  }

  /// The records whose file changes an earlier run did not finish.
  var unfinishedFiles: [RecordRef] {
    leftovers.compactMap { if case .files(let change) = $0.entry { change.ref } else { nil } }
  }

  /// Removes leftover entries from ``leftovers``; the caller finishes them.
  func take(_ numbers: [Int]) {
    let numbers = Set(numbers)
    leftovers.removeAll { numbers.contains($0.number) }
  }

  private func append(_ bytes: [UInt8]) throws {
    guard lseek(descriptor, 0, SEEK_END) >= 0 else {
      throw FileError(.write, path: path.text, code: errno)
    }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileError(.write, path: path.text, code: errno) }
      written += count
    }
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
    if let old { object["old"] = .string(old.description) }
    return object
  }

  fileprivate init?(_ value: JSONValue) {
    guard let ref = value["ref"]?.string.flatMap({ RecordRef($0) }) else { return nil }
    self.ref = ref
    before = value["before"]?.string.flatMap { ContentDigest($0) }
    after = value["after"]?.string.flatMap { ContentDigest($0) }
    sidecar = value["sidecar"]?.string.map { Array($0.utf8) }
    old = value["old"]?.string.flatMap { RecordRef($0) }
  }
}
