import StoryLibrary

/// Finds the records that words of a command line name.
///
/// A record is named by its ref (`heroes/luna`), its file's path (from the current folder, or
/// absolute), or its name alone where only one kind has it (`luna`, `otto` for `family/otto`, or the
/// title). A folder names all records below it.
struct RefResolver: Sendable {
  private let root: String
  /// Where paths count from: first the current folder, then the one the program was started in.
  private let folders: [String]
  private let known: [RecordRef]
  /// The word for what is looked for: `record`, or a kind's word for one.
  private let noun: String
  /// Records by the names that they had before they were renamed.
  private let former: [RecordRef: RecordRef]

  /// A resolver for the records of a scan, or for those of one kind.
  init(_ scan: Scan, of library: Library, context: Context, kind: EntityKind? = nil) {
    let entries = scan.entries.filter { kind == nil || $0.ref.kind == kind && $0.hasRecord }
    root = library.root
    folders =
      context.folder == context.startFolder
      ? [context.folder] : [context.folder, context.startFolder]
    known = entries.map(\.ref)
    noun = kind?.schema.noun ?? "record"
    former = Dictionary(
      entries.compactMap { entry in entry.renamedFrom.map { ($0, entry.ref) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The one record that a word names.
  ///
  /// - Throws: `CommandError`: no record, several, or a path outside the library.
  func record(_ word: String) throws(CommandError) -> RecordRef {
    let found = try records(word)
    guard let first = found.first, found.count == 1 else {
      throw .severalRecords(word, count: found.count)
    }
    return first
  }

  /// The records that any of the words names, in the library's order; all for no word.
  ///
  /// - Throws: `CommandError` as ``record(_:)`` at the first word that names nothing.
  func records(_ words: [String]) throws(CommandError) -> [RecordRef] {
    guard !words.isEmpty else { return known }
    var wanted: Set<RecordRef> = []
    for word in words { wanted.formUnion(try records(word)) }
    return known.filter(wanted.contains)
  }

  private func records(_ word: String) throws(CommandError) -> [RecordRef] {
    let inner = folders.compactMap { folder in
      let path = Path.absolute(word, in: folder)
      return Path.relative(Path.resolved(path) ?? path, to: root)
    }
    let forms = [word] + inner
    for form in forms {
      if let ref = find(form) { return [ref] }
    }
    // Names before folders: `heroes/family` is the record where there is one.
    for form in forms {
      let below = members(of: form)
      if !below.isEmpty { return below }
    }
    let named = candidates(word)
    if named.count == 1 { return named }
    if named.count > 1 { throw .ambiguousName(word, named) }
    guard !inner.isEmpty || !word.hasPrefix("/") else { throw .outsideLibrary(word, root: root) }
    if let ref = forms.lazy.compactMap(readOnly).first { throw .readOnly(ref) }
    throw .noSuchRecord(
      word, noun: noun, nearest: forms.lazy.compactMap(nearest).first ?? part(word))
  }

  /// The record of exactly that name, also by its kind's word for one (`hero/luna`).
  private func find(_ text: String) -> RecordRef? {
    var text = text
    while text.hasPrefix("./") { text.removeFirst(2) }
    if let slash = text.firstIndex(of: "/"), let kind = EntityKind(named: String(text[..<slash])) {
      text = kind.folder + text[slash...]
    }
    guard let ref = RecordRef(text) else { return nil }
    return known.first { $0 == ref } ?? former[ref]
  }

  /// The records below a folder of the library; all for the root itself.
  private func members(of folder: String) -> [RecordRef] {
    var folder = folder
    while folder.hasSuffix("/") { folder.removeLast() }
    if folder.isEmpty { return known }
    let prefix = folder + "/"
    return known.filter { $0.description.utf8.starts(with: prefix.utf8) }
  }

  /// The records that a word without a kind can mean: by their whole name, else by its last part.
  private func candidates(_ word: String) -> [RecordRef] {
    let name = word.hasSuffix(".json") ? String(word.dropLast(5)) : word
    let exact = known.filter { $0.name == name }
    if !exact.isEmpty { return exact }
    let last = known.filter { Path.name($0.name) == name }
    if !last.isEmpty { return last }
    let slug = Slug.make(name, fallback: "")
    return known.filter { Path.name($0.name) == slug }
  }

  /// The record, or folder of records, of that name that is there and that only the server makes: those
  /// are known only to commands that show them.
  private func readOnly(_ text: String) -> RecordRef? {
    guard let ref = RecordRef(text), ref.kind.schema.isReadOnly else { return nil }
    let isThere = [ref.path, ref.sidecarPath, ref.description].contains {
      FileSystem.exists(Path.join(root, $0))
    }
    return isThere ? ref : nil
  }

  /// The record whose name is nearest to what was typed.
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

  /// The only record whose name has the word in it.
  private func part(_ word: String) -> RecordRef? {
    let slug = Slug.make(word, fallback: "")
    guard slug.count > 2 else { return nil }
    let found = known.filter { $0.name.contains(slug) }
    return found.count == 1 ? found[0] : nil
  }
}
