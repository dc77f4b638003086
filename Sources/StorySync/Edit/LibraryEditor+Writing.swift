public import JSONText
public import StoryLibrary

extension LibraryEditor {
  /// Writes a new record to its file, in canonical form.
  ///
  /// The file is flushed to disk when this returns. The library's lock is not needed: a file that
  /// appears meanwhile is never replaced.
  /// - Parameters:
  ///   - ref: the record.
  ///   - members: the members of the file, in any order.
  ///   - references: the records that it may reference, or `nil` for those with files.
  ///   - isNameFree: whether a scan has shown that no other name is the same but for case, so that
  ///     folders need not be listed for each of many records.
  ///   - isDryRun: whether to change nothing.
  /// - Returns: the file's bytes.
  /// - Throws: `EditError.exists` if the name is taken, also by one that differs, in any part,
  ///   only by case or Unicode form;
  ///   `.isOpen` if an editor has a removed record of that name; `Problem` if the record or its name
  ///   is invalid; `LibraryError.newerVersion`; `FileError`. Nothing was written then.
  @discardableResult
  public func create(
    _ ref: RecordRef, members: JSONObject, references: ReferenceTable? = nil,
    isNameFree: Bool = false, isDryRun: Bool = false
  ) throws -> [UInt8] {
    try library.checkWritable()
    if let problem = library.nameProblem(of: ref) { throw problem }
    let text = JSONValue.object(members).compactBytes
    let bytes = try RecordFile(ref: ref, bytes: text).canonicalBytes
    try check(bytes, ref, references, sidecar: nil)
    guard try isNameFree || isFree(ref) else { throw EditError.exists(ref) }
    guard !isDryRun else { return bytes }
    guard try write(bytes, ref, replacing: nil) else { throw EditError.exists(ref) }
    return bytes
  }

  /// Changes members of a record in its file; everything else stays byte for byte.
  ///
  /// The file is flushed to disk when this returns. If it is saved at the same time, `change` is
  /// applied again to the saved content.
  /// - Parameters:
  ///   - ref: the record.
  ///   - run: keeps the replaced version, or `nil` to keep none.
  ///   - isChecked: whether the record must be valid afterwards.
  ///   - open: the record, if the caller has it open itself.
  ///   - change: changes the members of the file.
  /// - Returns: the members in the file.
  /// - Throws: `EditError.noSuchRecord`, `.isOpen`, `.changedMeanwhile` if the file keeps changing;
  ///   `Problem` if the name is invalid, or the record cannot be read or would be invalid;
  ///   `LibraryError` (`newerVersion`; `locked` with a run); `FileError`; errors of `change`. Nothing
  ///   was written then.
  @discardableResult
  public func update(
    _ ref: RecordRef, keptIn run: EditRun? = nil, isChecked: Bool = true,
    whileOpen open: OpenRecord? = nil,
    _ change: (inout JSONObject) throws -> Void
  ) throws -> JSONObject {
    try library.checkWritable()
    if let problem = library.nameProblem(of: ref, isNew: false) { throw problem }
    guard FileSystem.exists(library.path(ref.path)) else {
      throw EditError.noSuchRecord(ref, nearest: nil)
    }
    for _ in 0..<Self.maximumTries {
      let bytes = try library.read(ref.path)
      let file = try RecordFile(ref: ref, bytes: bytes)
      let old = file.document.root.value.object ?? JSONObject()
      var new = old
      try change(&new)
      var changes: [(key: String, value: JSONValue?)] = []
      for key in old.keys where new[key] == nil { changes.append((key, nil)) }
      for member in new.members where old[member.key] != member.value {
        changes.append((member.key, member.value))
      }
      guard !changes.isEmpty else { return new }
      let schema = ref.kind.schema
      let document = try file.document.setting(
        changes, order: schema.memberOrder, brokenArrays: schema.brokenArrays)
      if isChecked { try check(document.bytes, ref, nil, sidecar: try? library.sidecar(at: ref)) }
      if try write(document.bytes, ref, replacing: bytes, keptIn: run, open) { return new }
    }
    throw EditError.changedMeanwhile(ref)
  }

  /// Maximum number of times that a change is applied to a file that others save at the same time.
  private static let maximumTries = 16

  private func isFree(_ ref: RecordRef) throws -> Bool {
    guard ![ref.path, ref.sidecarPath].contains(where: { FileSystem.exists(library.path($0)) })
    else { return false }
    let folder = ref.kind.folder
    guard FileSystem.exists(library.path(folder)) else { return true }
    let parts = "\(ref.name).json".utf8.split(separator: UInt8(ascii: "/"))
    return try !isTaken(parts.map { String(Substring($0)) }[...], in: folder)
  }

  /// Returns whether a folder has something that some file system could treat as this path.
  private func isTaken(_ path: ArraySlice<String>, in folder: String) throws -> Bool {
    guard let name = path.first else { return true }
    let (rest, key) = (path.dropFirst(), Slug.collisionKey(name))
    return try FileSystem.list(library.path(folder)).contains { entry in
      guard rest.isEmpty || entry.type == .folder, Slug.collisionKey(entry.name) == key else {
        return false
      }
      return try isTaken(rest, in: Path.join(folder, entry.name))
    }
  }

  private func check(
    _ bytes: [UInt8], _ ref: RecordRef, _ known: ReferenceTable?, sidecar: Sidecar?
  ) throws {
    let file = try RecordFile(ref: ref, bytes: bytes)
    let problems = file.problems(
      references: known ?? references(of: file), sidecar: sidecar, mayBeDraft: true)
    if let problem = problems.first(where: { $0.severity == .error }) { throw problem }
  }

  private func references(of file: RecordFile) -> ReferenceTable {
    var references = ReferenceTable()
    for field in file.ref.kind.schema.fields {
      guard let kind = field.referencedKind, let name = file.document.root[field.key]?.string else {
        continue
      }
      let target = RecordRef(kind: kind, name: name)
      if RecordRef.isWellFormed(name), FileSystem.exists(library.path(target.path)) {
        references.add(target, id: nil)
      }
    }
    return references
  }

  /// Writes a record's file unless it is open in an editor.
  ///
  /// - Returns: whether the file was as expected.
  func write(
    _ bytes: [UInt8], _ ref: RecordRef, replacing old: [UInt8]?, keptIn run: EditRun? = nil,
    _ own: OpenRecord? = nil
  ) throws -> Bool {
    let open = OpenRecords(library, except: own)
    defer { withExtendedLifetime(open) {} }
    try open.check([ref])
    if let old { try run?.keep(old, of: ref, after: bytes) }
    var batch = WriteBatch(root: library.root)
    let expectation = old.map { AtomicFile.Expectation.content(ContentDigest($0)) } ?? .absent
    batch.add(ref, in: library, record: .write(bytes, expectation))
    return try batch.commit()[0].isDone()
  }
}
