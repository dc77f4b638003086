import JSONText
public import StoryLibrary

/// The records as they stand in git's index: what the next commit holds, whatever the working tree
/// says.
public struct StagedRecords: Sendable {
  /// What is wrong.
  public struct Report: Sendable {
    /// The records that were looked at.
    public var refs: [RecordRef] = []
    /// What is wrong with them; places are those of the staged text.
    public var problems: [Problem] = []
  }

  /// Git did not say what is staged.
  public struct Unreadable: Error, Sendable, Hashable {}

  private struct Entry {
    var mode: String
    var object: String
  }

  private let repository: GitRepository

  /// The records in a repository's index.
  public init(_ repository: GitRepository) { self.repository = repository }

  /// Looks at every record that the next commit changes, with its sidecar; and at all stories where it
  /// takes away a record that one of them may name.
  ///
  /// - Throws: `Unreadable`.
  public func check() throws(Unreadable) -> Report {
    let folders = EntityKind.allCases.map(\.folder)
    guard let listing = repository.run(["ls-files", "-s", "-z", "--"] + folders) else {
      throw Unreadable()
    }
    var (records, sidecars): ([RecordRef: Entry], [RecordRef: Entry]) = ([:], [:])
    for line in listing.split(separator: 0) {
      guard let (entry, path) = Self.entry(line) else { continue }
      switch path {
      case .record(let ref) where !ref.kind.schema.isReadOnly: records[ref] = entry
      case .sidecar(let ref): sidecars[ref] = entry
      case .record: break
      }
    }
    let wanted = try changed(records)
    var objects = wanted.flatMap { [records[$0], sidecars[$0]].compactMap { $0?.object } }
    let namesOthers = wanted.contains { ref in
      ref.kind.schema.fields.contains { $0.referencedKind != nil }
    }
    let targets = sidecars.filter { namesOthers && ReferenceTable.kinds.contains($0.key.kind) }
    objects += targets.map(\.value.object)
    guard let texts = repository.contents(of: objects) else { throw Unreadable() }
    var references = ReferenceTable()
    for ref in records.keys {
      let text = targets[ref].flatMap { texts[$0.object] }
      let sidecar = text.flatMap { try? Sidecar(bytes: $0, ref: ref) }
      references.add(ref, id: sidecar?.id)
    }
    var report = Report(refs: wanted)
    for ref in wanted {
      var sidecar: Sidecar?
      if let entry = sidecars[ref], let bytes = texts[entry.object] {
        do throws(Problem) {
          sidecar = try Sidecar(bytes: bytes, ref: ref)
        } catch {
          report.problems.append(error)
        }
      }
      guard let entry = records[ref] else { continue }
      report.problems += Self.problems(of: ref, entry, texts, references, sidecar)
    }
    return report
  }

  private static func problems(
    of ref: RecordRef, _ entry: Entry, _ texts: [String: [UInt8]], _ references: ReferenceTable,
    _ sidecar: Sidecar?
  ) -> [Problem] {
    guard entry.mode.hasPrefix("100") else {
      return [
        Problem(
          .notAFile, file: ref.path, message: "this is no file",
          hint: "records are plain files; links are not followed")
      ]
    }
    guard let bytes = texts[entry.object] else {
      return [Problem(.unreadable, file: ref.path, message: "git does not give its staged text")]
    }
    do throws(Problem) {
      return try RecordFile(ref: ref, bytes: bytes)
        .problems(references: references, sidecar: sidecar)
    } catch {
      return [error]
    }
  }

  /// `100644 0123… 0<TAB>path`; `nil` for what is no record's, and for a file in the middle of a merge,
  /// which git does not commit.
  private static func entry(_ line: ArraySlice<UInt8>) -> (Entry, TrackedPath)? {
    guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
    let words = String(decoding: line[..<tab], as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[2] == "0",
      let path = TrackedPath(String(decoding: line[line.index(after: tab)...], as: UTF8.self))
    else { return nil }
    return (Entry(mode: String(words[0]), object: String(words[1])), path)
  }

  /// The records that the next commit changes; all where there is no commit yet.
  private func changed(_ records: [RecordRef: Entry]) throws(Unreadable) -> [RecordRef] {
    let arguments = ["diff-index", "--cached", "--name-only", "--no-renames", "--relative", "-z"]
    guard repository.run(["rev-parse", "--verify", "-q", "HEAD"]) != nil else {
      return records.keys.sorted()
    }
    let folders = EntityKind.writable.map(\.folder)
    guard let output = repository.run(arguments + ["HEAD", "--"] + folders) else {
      throw Unreadable()
    }
    var wanted: Set<RecordRef> = []
    var isNameGone = false
    for path in output.split(separator: 0) {
      switch TrackedPath(String(decoding: path, as: UTF8.self)) {
      case .record(let ref):
        wanted.insert(ref)
        if records[ref] == nil, ReferenceTable.kinds.contains(ref.kind) { isNameGone = true }
      case .sidecar(let ref): wanted.insert(ref)
      case nil: break
      }
    }
    if isNameGone {
      wanted.formUnion(
        records.keys.filter { ref in
          ref.kind.schema.fields.contains { $0.referencedKind != nil }
        })
    }
    return wanted.filter { records[$0] != nil }.sorted()
  }
}
