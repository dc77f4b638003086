import JSONText
import StoryLibrary
import StorySync

/// What became of a file that an import or an export wrote.
enum FileChange {
  case created, updated, unchanged
}

struct RecordImporter {
  /// The problems of a record, at least one, with their places in the imported file.
  struct Rejection: Error {
    var problems: [Problem]
  }

  private let opened: OpenLibrary
  /// All records of this import.
  private let refs: Set<RecordRef>
  private let replaces: Bool
  private let isDryRun: Bool
  private let heroOfUnknown: RecordRef?
  private let run: EditRun
  private var references: ReferenceTable
  /// The records by the keys that names must not share.
  private var names: [EntityKind: [String: RecordRef]] = [:]
  /// The files of this import by the keys of their records' names.
  private var sources: [EntityKind: [String: String]] = [:]
  /// The records by their titles in lowercase, read when they are first needed.
  private var titles: [EntityKind: [String: [RecordRef]]] = [:]
  /// The imported records by their ids; `nil` for one that was not imported.
  private var imported: [EntityKind: [String: RecordRef?]] = [:]

  private var library: Library { opened.library }
  private var scan: Scan { opened.scan }

  /// Prepares an import.
  ///
  /// - Parameter heroOfUnknown: The hero for stories whose hero is neither in the library nor in the files, or
  ///   `nil`.
  init(
    _ opened: OpenLibrary, of refs: [RecordRef], replaces: Bool, isDryRun: Bool,
    heroOfUnknown: RecordRef?
  ) {
    self.opened = opened
    self.heroOfUnknown = heroOfUnknown
    self.refs = Set(refs)
    self.replaces = replaces
    self.isDryRun = isDryRun
    references = opened.scan.references
    run = EditRun(opened.library, time: opened.context.time)
    for entry in opened.scan.entries {
      names[entry.ref.kind, default: [:]][Slug.collisionKey(entry.ref.name)] = entry.ref
    }
  }

  /// Writes a record.
  ///
  /// - Parameter hero: The hero of a story that names none, or `nil`.
  /// - Throws: `Rejection`, `TransferError`, `CommandError`, `EditError`, `FileError`, `Problem`.
  mutating func add(_ record: IncomingRecord, hero: RecordRef? = nil) throws -> FileChange {
    if let id = record.id { imported[record.ref.kind, default: [:]][id] = .some(nil) }
    let key = Slug.collisionKey(record.ref.name)
    if let first = sources[record.ref.kind]?[key] {
      throw TransferError.sameRecord(first, record.source.shown)
    }
    sources[record.ref.kind, default: [:]][key] = record.source.shown
    var record = record
    if let hero { record.defaults["hero"] = .string(hero.name) }
    let values = try resolved(record)
    let change = try write(record, values)
    if let id = record.id { imported[record.ref.kind, default: [:]][id] = record.ref }
    guard change == .created else { return change }
    references.add(record.ref, id: nil)
    names[record.ref.kind, default: [:]][Slug.collisionKey(record.ref.name)] = record.ref
    let titleKey = record.ref.kind.schema.titleKey
    if titles[record.ref.kind] != nil,
      let title = (values[titleKey] ?? record.defaults[titleKey])?.string
    {
      titles[record.ref.kind]?[title.lowercased(), default: []].append(record.ref)
    }
    return change
  }

  private mutating func write(_ record: IncomingRecord, _ values: JSONObject) throws -> FileChange {
    let ref = record.ref
    if let taken = names[ref.kind]?[Slug.collisionKey(ref.name)], taken != ref {
      throw CommandError.nameTaken(taken, path: opened.shown(taken.path))
    }
    let entry = scan.entry(ref)
    let isThere = FileSystem.exists(library.path(ref.path))
    if let problem = library.nameProblem(of: ref, isNew: !isThere) {
      throw CommandError.badRecord(problem)
    }
    if !isThere {
      if entry?.state == .notCheckedOut { throw EditError.notCheckedOut(ref) }
      guard entry == nil, !scan.isStale(ref) else { throw CommandError.nameOfDeleted(ref) }
      // In a dry run, a file of this import has the name.
      if names[ref.kind]?[Slug.collisionKey(ref.name)] != nil { throw exists(record) }
    }
    var members = JSONObject()
    var sidecar: Sidecar?
    if isThere {
      members = try opened.reader.file(ref).document.root.value.object ?? members
      sidecar = entry.flatMap(opened.reader.sidecar)
    }
    let old = members
    var values = values
    if !isThere || replaces {
      for field in ref.kind.schema.fields {
        guard let value = record.defaults[field.key],
          !field.keys.contains(where: { values[$0] != nil || (members[$0] ?? .null) != .null })
        else { continue }
        values[field.key] = value
      }
    }
    ref.kind.schema.apply(values, to: &members)
    if isThere, members == old { return .unchanged }
    guard !isThere || replaces else { throw exists(record) }
    if isThere, record.source.isJSON { try checkTitle(of: record) }
    try check(members, record, sidecar, isStated: { values[$0] != nil || !isThere })
    guard !isDryRun else { return isThere ? .updated : .created }
    let editor = LibraryEditor(library, time: opened.context.time)
    guard isThere else {
      try editor.create(ref, members: members, references: references, isNameFree: true)
      return .created
    }
    try editor.update(ref, keptIn: run) { [values] in ref.kind.schema.apply(values, to: &$0) }
    return .updated
  }

  /// Checks that a record of a JSON file that is named after its title can only be the one that it
  /// replaces.
  ///
  /// - Throws: `TransferError.sharedTitle`.
  private mutating func checkTitle(of record: IncomingRecord) throws(TransferError) {
    let schema = record.ref.kind.schema
    guard let title = record.values[schema.titleKey]?.string,
      record.ref.name == Slug.make(title, fallback: schema.noun)
    else { return }
    let others = titled(title, record.ref.kind).filter { !refs.contains($0) }
    guard others.isEmpty else { throw .sharedTitle(title, [record.ref] + others) }
  }

  /// Completes the run that keeps the replaced versions.
  ///
  /// - Throws: `FileError`.
  func finish() throws { try run.finish(command: "import --replace") }

  private func exists(_ record: IncomingRecord) -> TransferError {
    .exists(record.ref, path: opened.shown(record.ref.path), isJSON: record.source.isJSON)
  }

  /// Checks a record as `stories check` does.
  ///
  /// - Throws: `Rejection` with the errors, at their places in the imported file.
  private func check(
    _ members: JSONObject, _ record: IncomingRecord, _ sidecar: Sidecar?,
    isStated: (String) -> Bool
  ) throws {
    var problems = try record.errors(
      of: members, references: references, sidecar: sidecar, isStated: isStated)
    guard !problems.isEmpty else { return }
    for place in problems.indices {
      if problems[place].file == record.ref.path {
        problems[place].file = opened.shown(record.ref.path)
      } else if case .missing(let field, let isNull, _) = problems[place].what,
        record.ref.kind == .stories, field.key == "hero"
      {
        let form = Problem.Form.importedStory(isJSON: record.source.isJSON)
        problems[place].what = .missing(field, isNull: isNull, in: form)
      }
    }
    throw Rejection(problems: problems)
  }

  // MARK: References

  /// Returns the values with the names of records instead of their titles and ids.
  private mutating func resolved(_ record: IncomingRecord) throws -> JSONObject {
    var values = record.values
    for field in record.ref.kind.schema.fields {
      guard let kind = field.referencedKind else { continue }
      if let word = values[field.key]?.string,
        references.meaning(of: RecordRef(kind: kind, name: word)) == .unknown,
        let name = try named(word, kind)
      {
        values[field.key] = .string(name)
      }
      if record.source.isJSON, let id = values[field.wireKey]?.string {
        values[field.wireKey] = nil
        values[field.key] = .string(try name(of: kind, id: id))
      }
    }
    return values
  }

  /// Returns the local name of a record that a server's record references.
  private func name(of kind: EntityKind, id: String) throws -> String {
    let known = imported[kind]?[id]
    if let ref = known ?? nil { return ref.name }
    if let name = references.name(of: kind, id: id) { return name }
    if kind == .heroes, known == nil, let heroOfUnknown { return heroOfUnknown.name }
    throw TransferError.missingReference(kind, id: id, isInFile: known != nil)
  }

  /// Returns the name of the only record with that title, or `nil`.
  private mutating func named(_ title: String, _ kind: EntityKind) throws -> String? {
    let found = titled(title, kind)
    guard found.count < 2 else { throw TransferError.ambiguousTitle(title, found) }
    return found.first?.name
  }

  private mutating func titled(_ title: String, _ kind: EntityKind) -> [RecordRef] {
    if titles[kind] == nil {
      var table: [String: [RecordRef]] = [:]
      for entry in scan.entries where entry.ref.kind == kind && entry.hasRecord {
        guard let root = try? opened.reader.file(entry.ref).document.root,
          let title = root[kind.schema.titleKey]?.string
        else { continue }
        table[title.lowercased(), default: []].append(entry.ref)
      }
      titles[kind] = table
    }
    return titles[kind]?[title.lowercased()] ?? []
  }
}
