import JSONText
public import StoryAPI
public import StoryLibrary

/// Repairs problems of records that need no decision: `check --fix`.
///
/// Replaced versions are kept in one run, so that `undo` can restore them. No file gets another
/// name or folder, and nothing is sent.
public struct RecordFixer {
  /// A repaired problem, or in a dry run one that would be repaired.
  public struct Fixed: Sendable {
    /// The problem, with its place in the file as it was.
    public var problem: Problem
    /// The repair.
    public var fix: RecordFix
  }

  /// The result of a run.
  public struct Outcome: Sendable {
    /// The repaired problems, in the order in which they were reported.
    public var fixed: [Fixed] = []
    /// The files that could not be read or written, with the reason.
    public var failures: [Problem] = []
  }

  private let library: Library
  private var scan: Scan
  private let time: TimeSource
  private var outcome = Outcome()
  /// The files that were left alone, with the reason in ``Outcome/failures``.
  private var left: Set<String> = []

  /// Creates a fixer for the records of a scan.
  public init(_ library: Library, _ scan: Scan, time: TimeSource = .system) {
    self.library = library
    self.scan = scan
    self.time = time
  }

  /// Repairs what can be repaired automatically, including problems that only show once others
  /// are gone, in the same file or in another one.
  ///
  /// A file that is saved at the same time stays as it is, as does one that is read-only, is open in
  /// an editor, or cannot be read or written; the others are repaired.
  /// - Parameters:
  ///   - problems: the problems that were found.
  ///   - isDryRun: whether to change nothing; then only the problems are seen that show now.
  ///   - again: finds the problems once more, after some were repaired.
  /// - Throws: `LibraryError` (`locked`, `newerVersion`), `FileError` for the run itself.
  public mutating func fix(
    _ problems: [Problem], isDryRun: Bool, again: () throws -> (Scan, [Problem])
  ) throws -> Outcome {
    try library.checkWritable()
    let run = EditRun(library, time: time)
    let result = Result {
      var problems = problems
      // A repair shows few others; the limit is for files that are saved all the time.
      for _ in 0..<16 {
        guard try fixOnce(problems, run, isDryRun: isDryRun), !isDryRun else { break }
        (scan, problems) = try again()
      }
    }
    // Repairs made before a failure can be undone, too.
    try run.finish(command: "check --fix")
    try result.get()
    return outcome
  }

  /// Repairs each file once; returns whether anything was repaired.
  private mutating func fixOnce(
    _ problems: [Problem], _ run: EditRun, isDryRun: Bool
  ) throws -> Bool {
    let count = outcome.fixed.count
    var seen = left
    for problem in problems where problem.fix != nil {
      guard seen.insert(problem.file).inserted, let ref = RecordRef(problem.file),
        let entry = scan.entry(ref)
      else { continue }
      do {
        if let status = try FileSystem.status(library.path(ref.path)), status.mode & 0o222 == 0 {
          leave(problem, because: nil)
        } else {
          outcome.fixed += try fixContent(of: entry, run, isDryRun: isDryRun)
        }
      } catch EditError.isOpen(_, let holder) {
        left.insert(problem.file)
        outcome.failures.append(Problem(.isOpen(holder: holder), file: problem.file))
      } catch let error as FileError {
        leave(problem, because: error)
      }
    }
    return outcome.fixed.count > count
  }

  /// - Parameter error: The error of writing the file, or `nil` if it is read-only.
  private mutating func leave(_ problem: Problem, because error: FileError?) {
    left.insert(problem.file)
    outcome.failures.append(
      Problem(
        .notRepaired(problem.what, error), file: problem.file, position: problem.position))
  }

  private func fixContent(
    of entry: ScanEntry, _ run: EditRun, isDryRun: Bool
  ) throws -> [Fixed] {
    let old = try FileSystem.read(library.path(entry.ref.path), limit: JSONDocument.maximumSize)
    let sidecar = entry.id == nil ? nil : try? library.sidecar(of: entry)
    var bytes = old
    var fixed: [Fixed] = []
    var shifts: [Shift] = []
    // Each round repairs one problem. No problem takes less than a byte, so this ends.
    for _ in old {
      guard let (found, new) = fix(bytes, entry.ref, sidecar) else { break }
      var next = found
      let shift = Self.shift(from: bytes, to: new)
      for earlier in shifts.reversed() { earlier.takeBack(&next.problem.position) }
      shifts.append(shift)
      bytes = new
      fixed.append(next)
    }
    guard bytes != old, !isDryRun else { return fixed }
    let editor = LibraryEditor(library, time: time)
    return try editor.write(bytes, entry.ref, replacing: old, keptIn: run) ? fixed : []
  }

  /// The number of columns by which a repair moved the rest of its line.
  private struct Shift {
    var start: TextPosition
    var columns: Int

    /// Changes a position in the repaired text to that in the text before.
    func takeBack(_ position: inout TextPosition?) {
      guard let place = position, place.line == start.line, place > start else { return }
      position?.column = max(start.column, place.column - columns)
    }
  }

  private static func shift(from old: [UInt8], to new: [UInt8]) -> Shift {
    func count(_ bytes: [UInt8]) -> Int { bytes.count { $0 & 0xC0 != 0x80 } }
    let start = zip(old, new).prefix { $0 == $1 }.count
    return Shift(
      start: TextPosition(offset: start, in: old), columns: count(new) - count(old))
  }

  /// Returns the first repair that applies to a record's text, and the text with it, or `nil`.
  private func fix(
    _ bytes: [UInt8], _ ref: RecordRef, _ sidecar: Sidecar?
  ) -> (Fixed, [UInt8])? {
    let problems: [Problem]
    do throws(Problem) {
      problems = try RecordFile(ref: ref, bytes: bytes)
        .problems(references: scan.references, sidecar: sidecar, mayBeDraft: true)
    } catch {
      problems = [error]
    }
    for problem in problems {
      guard let fix = problem.fix, let new = fix.applied(to: bytes, of: ref),
        new != bytes
      else { continue }
      return (Fixed(problem: problem, fix: fix), new)
    }
    return nil
  }
}

extension RecordFix {
  /// Returns a record's text with the change, or `nil` if it does not apply.
  fileprivate func applied(to bytes: [UInt8], of ref: RecordRef) -> [UInt8]? {
    switch self {
    case .removeComma(let offset):
      guard bytes.indices.contains(offset), bytes[offset] == UInt8(ascii: ",") else { return nil }
      return Array(bytes[..<offset] + bytes[(offset + 1)...])
    case .addComma(let offset):
      guard offset <= bytes.count else { return nil }
      return Array(bytes[..<offset] + [UInt8(ascii: ",")] + bytes[offset...])
    case .rename(let old, let new):
      guard let document = try? JSONDocument(parsing: bytes),
        let key = document.root.member(old)?.key, document.root[new] == nil
      else { return nil }
      let text = Array(JSONValue.string(new).compactText.utf8)
      return Array(bytes[..<key.range.lowerBound]) + text + Array(bytes[key.range.upperBound...])
    case .set(let member, let value):
      let schema = ref.kind.schema
      return try? JSONDocument(parsing: bytes).setting(
        [(member, value)], order: schema.memberOrder, brokenArrays: schema.brokenArrays
      ).bytes
    }
  }
}
