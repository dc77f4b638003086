import JSONText
import StoryLibrary

/// Finds the records that words of a command line refer to.
///
/// A record is given by its ref (`heroes/luna`), its file's path (relative to the current folder,
/// or absolute), or its name alone if unique (`luna`, `otto` for `family/otto`, or the title). A
/// folder stands for all records below it.
struct RefResolver: Sendable {
  private let root: String
  /// The base folders for relative paths: the current folder, then the starting one.
  private let folders: [String]
  private let known: [RecordRef]
  /// Records that are missing together with their sidecars, unless they count as ``known``.
  private let missing: [RecordRef]
  private let unreadable: [Problem]
  /// The records of other kinds, if only those of one kind can be found.
  private let others: [RecordRef]
  /// The removed records, if only those of one kind that have a file can be found.
  private let removed: [RecordRef]
  /// The noun for messages: `record`, or a kind's noun.
  private let noun: String
  /// Records by their names before a rename.
  private let former: [RecordRef: RecordRef]

  /// Creates a resolver for the records of a scan, or those of one kind.
  ///
  /// - Parameter includesMissing: whether records that are missing together with their sidecars can be
  ///   found; otherwise they are reported as ``CommandError/missing(_:)``.
  init(
    _ scan: Scan, of library: Library, context: Context, kind: EntityKind? = nil,
    includesMissing: Bool = false
  ) {
    let ofKind = scan.entries.filter { kind == nil || $0.ref.kind == kind }
    let entries = ofKind.filter { kind == nil || $0.hasRecord }
    let missing = scan.missingPairs.filter {
      !$0.isTakenByGit && (kind == nil || $0.ref.kind == kind)
    }.map(\.ref)
    self.missing = includesMissing ? [] : missing
    unreadable = scan.hidingProblems
    root = library.root
    folders =
      context.folder == context.startFolder
      ? [context.folder] : [context.folder, context.startFolder]
    let present = entries.map(\.ref)
    known = includesMissing && !missing.isEmpty ? (present + missing).sorted() : present
    others = kind == nil ? [] : scan.entries.map(\.ref).filter { $0.kind != kind }
    removed = kind == nil ? [] : ofKind.filter { !$0.hasRecord }.map(\.ref)
    noun = kind?.schema.noun ?? "record"
    former = Dictionary(
      entries.compactMap { entry in entry.renamedFrom.map { ($0, entry.ref) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the one record that a word refers to.
  ///
  /// - Throws: `CommandError`: no record, several, an empty word, or a path outside the library.
  func record(_ word: String) throws(CommandError) -> RecordRef {
    let found = try match(word).records
    guard let first = found.first, found.count == 1 else {
      throw .severalRecords([word], count: found.count)
    }
    return first
  }

  /// Returns the records that any of the words refers to, in the library's order, or all records.
  ///
  /// - Throws: `CommandError` as ``record(_:)`` at the first word without a record that is not the
  ///   folder of a kind.
  func records(_ words: [String]) throws(CommandError) -> [RecordRef] {
    guard !words.isEmpty else { return known }
    var wanted: Set<RecordRef> = []
    for word in words where try !namesNothing(word) { wanted.formUnion(try match(word).records) }
    return known.filter(wanted.contains)
  }

  /// Returns whether a word names the folder of a kind, or the library's own, and there are no records.
  private func namesNothing(_ word: String) throws(CommandError) -> Bool {
    let named = try kinds(word, of: EntityKind.writable)
    return !named.isEmpty
      && !(known + missing + others).contains { named.contains($0.kind) }
      && !unreadable.contains { problem in
        named.contains { (problem.file + "/").hasPrefix($0.folder + "/") }
      }
  }

  struct Match: Sendable {
    /// The records, at least one.
    var records: [RecordRef]
    var isFolder = false
  }

  /// Returns the records that a word refers to.
  ///
  /// - Throws: `CommandError` as ``record(_:)``, but for several records.
  func match(_ word: String) throws(CommandError) -> Match {
    let inner = try inner(word)
    let forms = [word] + inner
    if let found = match(forms, among: known) { return found }
    let named = candidates(word, among: known)
    let picture = forms.lazy.compactMap(readOnly).first
    if isOtherFile(word), picture == nil, match(forms, among: missing + others) == nil {
      throw .notARecord(word, nearest: named.first)
    }
    if named.count == 1 { return Match(records: named) }
    if named.count > 1 { throw .ambiguousName(word, named) }
    let absent = match(forms, among: missing)?.records ?? candidates(word, among: missing)
    if !absent.isEmpty { throw .missing(absent) }
    guard !inner.isEmpty || !word.hasPrefix("/") else { throw .outsideLibrary(word, root: root) }
    if let picture { throw .readOnly(picture) }
    for problem in unreadable
    where forms.contains(where: { ($0 + "/").hasPrefix(problem.file + "/") }) {
      throw .cannotBeRead(problem)
    }
    let gone = match(forms, among: removed)?.records ?? candidates(word, among: removed)
    if let ref = gone.first { throw .removed(ref) }
    let other = match(forms, among: others)?.records ?? candidates(word, among: others)
    if let ref = other.first { throw .otherKind(word, ref, noun: noun) }
    throw .noSuchRecord(
      word, noun: noun, nearest: titled(word) ?? forms.lazy.compactMap(nearest).first ?? part(word))
  }

  /// Returns the kind of `all` whose folder a word names, `all` if it names the library's own folder, or
  /// none. The folder may be empty or missing.
  ///
  /// - Throws: `CommandError.emptyRef`.
  func kinds(_ word: String, of all: [EntityKind]) throws(CommandError) -> [EntityKind] {
    let inner = try inner(word)
    if inner.contains("") { return all }
    return all.filter { kind in
      ([word] + inner).contains { $0 == kind.folder || $0 == kind.folder + "/" }
    }
  }

  /// Returns whether a word is the path of a file that cannot be a record's. It is meant then, and no record
  /// of the same name.
  private func isOtherFile(_ word: String) -> Bool {
    guard word.contains("/") || word.hasSuffix(".json") else { return false }
    return folders.contains { folder in
      let path = Path.absolute(word, in: folder)
      guard let inner = Path.relative(Path.resolved(path) ?? path, to: root) else { return false }
      let parts = inner.split(separator: "/")
      let mayBeRecord =
        parts.count > 1 && EntityKind(rawValue: String(parts[0])) != nil
        && inner.hasSuffix(".json") && !parts.contains(".sync")
      return !mayBeRecord && (try? FileSystem.status(path))?.type == .regular
    }
  }

  /// Returns the paths within the library that a word may mean.
  ///
  /// - Throws: `CommandError.emptyRef` for a word such as `$UNSET` or `$UNSET/` becomes in a shell: as the
  ///   path of a folder it would mean all records.
  private func inner(_ word: String) throws(CommandError) -> [String] {
    guard word.contains(where: { $0 != "/" }) else { throw .emptyRef(word) }
    return folders.compactMap { folder in
      let path = Path.absolute(word, in: folder)
      return Path.relative(Path.resolved(path) ?? path, to: root)
    }
  }

  /// Returns the record or the folder that matches one of the forms of a word.
  private func match(_ forms: [String], among records: [RecordRef]) -> Match? {
    for form in forms {
      if let ref = find(form, among: records) { return Match(records: [ref]) }
    }
    // Names take precedence over folders: `heroes/family` is the record if there is one.
    for form in forms {
      let below = members(of: form, among: records)
      if !below.isEmpty { return Match(records: below, isFolder: true) }
    }
    return nil
  }

  /// Returns the record with exactly that name; the kind may be singular (`hero/luna`).
  private func find(_ text: String, among records: [RecordRef]) -> RecordRef? {
    var text = text
    while text.hasPrefix("./") { text.removeFirst(2) }
    if let slash = text.firstIndex(of: "/"), let kind = EntityKind(named: String(text[..<slash])) {
      text = kind.folder + text[slash...]
    }
    guard let ref = RecordRef(text) else { return nil }
    return records.first { $0 == ref } ?? former[ref]
  }

  /// Returns the records below a folder of the library; all for the root itself.
  private func members(of folder: String, among records: [RecordRef]) -> [RecordRef] {
    var folder = folder
    while folder.hasSuffix("/") { folder.removeLast() }
    if folder.isEmpty { return records }
    let prefix = folder + "/"
    return records.filter { $0.description.utf8.starts(with: prefix.utf8) }
  }

  /// Returns the records that a word without a kind may refer to, by full name or its last part.
  private func candidates(_ word: String, among records: [RecordRef]) -> [RecordRef] {
    let name = word.hasSuffix(".json") ? String(word.dropLast(5)) : word
    let exact = records.filter { $0.name == name }
    if !exact.isEmpty { return exact }
    let last = records.filter { Path.name($0.name) == name }
    if !last.isEmpty { return last }
    let slug = Slug.make(name, fallback: "")
    return records.filter { Path.name($0.name) == slug }
  }

  /// Returns the existing read-only record or folder with that name, which only some commands know.
  private func readOnly(_ text: String) -> RecordRef? {
    guard let ref = RecordRef(text), ref.kind.schema.isReadOnly else { return nil }
    let isThere = [ref.path, ref.sidecarPath, ref.description].contains {
      FileSystem.exists(Path.join(root, $0))
    }
    return isThere ? ref : nil
  }

  /// Returns the only record with a title, whatever its case, or `nil`. Reads the records.
  private func titled(_ word: String) -> RecordRef? {
    let title = word.lowercased()
    let found = known.filter { ref in
      let bytes = try? FileSystem.read(
        ConfinedPath(root: root, ref.path), limit: JSONDocument.maximumSize)
      let document = bytes.flatMap { try? JSONDocument(parsing: $0) }
      return document?.root[ref.kind.schema.titleKey]?.string?.lowercased() == title
    }
    return found.count == 1 ? found[0] : nil
  }

  private func nearest(_ word: String) -> RecordRef? {
    let name = word.hasSuffix(".json") ? String(word.dropLast(5)) : word
    let forms: [(RecordRef) -> String] = [
      \.description, \.name, { Path.name($0.name) },
    ]
    for form in forms {
      if let match = Nearest.match(name, among: known.map(form)) {
        return known.first { form($0) == match }
      }
    }
    return nil
  }

  private func part(_ word: String) -> RecordRef? {
    let slug = Slug.make(word, fallback: "")
    guard slug.count > 2 else { return nil }
    let found = known.filter { $0.name.contains(slug) }
    return found.count == 1 ? found[0] : nil
  }
}
