import JSONText
import StoryAPI
import StoryLibrary

/// Keeps what a run overwrites or removes, before it does: `.stories/runs/<UTC time>/`.
///
/// `saved.jsonl` has one line for each replaced version. A version that is large or not UTF-8 is in a
/// file of its own, named by its digest. `report.json` has the run's result. A run that changes
/// nothing leaves nothing.
final class RunRecorder {
  /// The run's name: its start in UTC, `2026-11-20T10-00-00.000Z`. Runs are in the order of their names,
  /// so this is a millisecond after the last run if that has no earlier name: the clock may have been set
  /// back.
  private(set) var name: String
  private let library: Library
  private let startedAt: String
  /// What is recorded and not yet on disk; see ``flush()``.
  var pending = Versions()
  private var log: AppendLog?

  init(_ library: Library, _ time: TimeSource) {
    self.library = library
    startedAt = time.now().wire
    name = Self.name(startedAt)
  }

  var isStarted: Bool { log != nil || !pending.lines.isEmpty }

  struct Versions {
    /// The size up to which bytes are in their line. A line with a file and its sidecar can be read again
    /// even if each of their bytes is escaped.
    private static let largestInLine = JSONDocument.maximumSize / 16

    fileprivate var lines: [UInt8] = []
    fileprivate var files: [ContentDigest: [UInt8]] = [:]

    fileprivate mutating func add(_ line: JSONObject) {
      lines += JSONValue.object(line).compactBytes + [0x0A]
    }

    /// Returns what a line says of bytes; ``SavedVersions`` reads it.
    private mutating func value(_ bytes: [UInt8]) -> JSONValue {
      if bytes.count <= Self.largestInLine, let text = String(validating: bytes, as: UTF8.self) {
        return .string(text)
      }
      let digest = ContentDigest(bytes)
      files[digest] = bytes
      return ["file": .string(digest.description)]
    }

    /// Adds a record's file.
    ///
    /// - Parameters:
    ///   - text: the file's bytes, or `nil` if there is no file.
    ///   - sidecar: the sidecar's bytes if it changes or is removed too.
    ///   - hasNoSidecar: whether the record has no sidecar, which an undo of this run has to know.
    ///   - place: the record that the sidecar's path belongs to, or `nil` for `ref` itself.
    ///   - mode: the mode of a file that is removed.
    mutating func save(
      _ ref: RecordRef, local text: [UInt8]?, sidecar: [UInt8]? = nil, hasNoSidecar: Bool = false,
      at place: RecordRef? = nil, mode: UInt32? = nil
    ) {
      var line: JSONObject = ["ref": .string(ref.description), "side": "here"]
      if let text {
        line["text"] = value(text)
      } else {
        line["absent"] = true
      }
      if let mode { line["mode"] = .string(String(mode, radix: 8)) }
      if hasNoSidecar { line["sidecar"] = .null }
      if let sidecar { line["sidecar"] = value(sidecar) }
      if let place, place != ref { line["place"] = .string(place.description) }
      add(line)
    }

    /// Adds the server's version of a record, or a sidecar alone.
    ///
    /// - Parameters:
    ///   - fields: the record's fields, or `nil` to keep only the sidecar.
    ///   - sidecar: the sidecar's bytes if it changes or is removed.
    ///   - id: the server's id of a record without a sidecar.
    mutating func save(
      _ ref: RecordRef, server fields: FieldValues?, sidecar: [UInt8]? = nil, id: String? = nil
    ) {
      let text = fields.map { JSONValue.object($0.wire).compactBytes } ?? []
      var line: JSONObject = [
        "ref": .string(ref.description), "side": "server", "text": value(text),
      ]
      if let id { line["id"] = .string(id) }
      if let sidecar { line["sidecar"] = value(sidecar) }
      add(line)
    }
  }

  /// Records versions to be replaced. They are on disk after ``flush()``.
  func save(_ versions: inout Versions) {
    pending.lines += versions.lines
    pending.files.merge(versions.files) { first, _ in first }
    versions = Versions()
  }

  /// Flushes everything recorded so far to disk.
  func flush() throws {
    guard !pending.lines.isEmpty else { return }
    let log = try openLog()
    for (digest, bytes) in pending.files {
      try AtomicFile.writePrivate(bytes, to: Path.join(folder, digest.description))
    }
    try log.append(pending.lines)
    pending = Versions()
    try log.flush()
  }

  /// Records the digest of a record after the change, or `nil` if it was removed. Only a record
  /// that still has that digest can be restored.
  func note(_ ref: RecordRef, after digest: ContentDigest?) {
    let after: JSONValue = digest.map { .string($0.description) } ?? .null
    pending.add(["ref": .string(ref.description), "after": after])
  }

  /// Returns a run's command with the first of its records; `saved.jsonl` has all of them.
  static func command(_ name: String, _ refs: [RecordRef]) -> String {
    let rest = refs.count > 3 ? " and \(refs.count - 3) more" : ""
    return ([name] + refs.prefix(3).map(\.description)).joined(separator: " ") + rest
  }

  /// Writes the run's report.
  ///
  /// - Parameters:
  ///   - command: the command: `sync`, `sync push`, `rm heroes/luna`.
  ///   - moved: the records that it renamed or found renamed.
  ///   - document: returns the report of a run, given its name.
  func finish(
    command: String, moved: [(from: RecordRef, to: RecordRef)] = [],
    _ document: (_ name: String) -> JSONObject = { _ in SyncWording.noReport }
  ) throws {
    try flush()
    _ = try openLog()
    var report = document(name)
    report["command"] = .string(command)
    if name != Self.name(startedAt) { report["startedAt"] = .string(startedAt) }
    if !moved.isEmpty {
      report["moved"] = .array(
        moved.map { ["from": .string($0.from.description), "to": .string($0.to.description)] })
    }
    try AtomicFile.writePrivate(
      JSONValue.object(report).fileBytes(), to: Path.join(folder, "report.json"))
  }

  private static func name(_ time: String) -> String {
    String(time.map { $0 == ":" ? "-" : $0 })
  }

  private var folder: ConfinedPath { library.statePath("runs/" + name) }

  private func openLog() throws -> AppendLog {
    if let log { return log }
    // Nothing is a millisecond after the end of the year 9999.
    let last = try RunHistory(library).names().lazy.filter { $0 < "9998-12-31" }
      .compactMap { name in RunHistory.time(ofRun: name).map { (name, $0) } }.first
    if let (last, time) = last, last >= name {
      name = Self.name(time.advanced(by: .milliseconds(1)).wire)
    }
    try FileSystem.makeFolder(folder, mode: 0o700)
    let log = try AppendLog(Path.join(folder, "saved.jsonl"))
    self.log = log
    try FileSystem.flushFolder(folder)
    return log
  }
}
