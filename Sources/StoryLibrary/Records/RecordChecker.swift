import JSONText

extension RecordFile {
  /// Returns the record's problems with their positions: types, required members, ranges, lengths,
  /// references and unknown members.
  ///
  /// Errors prevent the record from being pushed; warnings do not. A value that the server has too
  /// (it equals the sidecar's base) is never an error of range, length or choice: this program may
  /// know less than the server.
  /// - Parameters:
  ///   - references: The names and ids in the library.
  ///   - sidecar: The record's sidecar, or `nil` for a new record.
  ///   - mayBeDraft: Whether a new record may lack text that is still to be written.
  ///   - reading: The result of ``reading(references:sidecar:)`` for the same arguments, if known.
  public func problems(
    references: ReferenceTable, sidecar: Sidecar? = nil, mayBeDraft: Bool = false,
    reading: Reading? = nil
  ) -> [Problem] {
    var checker = RecordChecker(
      file: self, references: references, sidecar: sidecar, mayBeDraft: mayBeDraft,
      reading: reading ?? self.reading(references: references, sidecar: sidecar))
    return checker.check()
  }
}

struct RecordChecker {
  let file: RecordFile
  let references: ReferenceTable
  let sidecar: Sidecar?
  /// References to records that do not exist.
  private let unknown: Set<RecordRef>
  /// The fields that reference a moved record by its former name, with its current name.
  private let outdated: [Field: String]
  /// The fields that equal the server's.
  private let agreed: Set<Field>
  /// Whether the record is new and its text not yet written, which is not a mistake.
  private let isDraft: Bool
  private var problems: [Problem] = []

  private var schema: Schema { file.ref.kind.schema }

  init(
    file: RecordFile, references: ReferenceTable, sidecar: Sidecar?, mayBeDraft: Bool,
    reading: RecordFile.Reading
  ) {
    self.file = file
    self.references = references
    self.sidecar = sidecar
    unknown = Set(reading.unknown)
    outdated = Dictionary(
      uniqueKeysWithValues: reading.outdated.compactMap { field in
        guard let kind = field.referencedKind, let id = reading.values[field]?.string,
          let name = reading.refs[field.key]?.string,
          references.meaning(of: RecordRef(kind: kind, name: name)) != .id(id)
        else { return nil }
        return references.name(of: kind, id: id).map { (field, $0) }
      })
    isDraft = mayBeDraft && sidecar == nil && reading.lacksText
    agreed =
      sidecar.map {
        Set(file.ref.kind.schema.fields).subtracting(reading.changes(from: $0.base))
      } ?? []
  }

  mutating func check() -> [Problem] {
    guard !schema.isReadOnly else { return [] }
    if let problem = wrongFolder { return [problem] }
    var misspelt: Set<String> = []
    for member in file.document.root.members {
      if let field = schema.field(key: member.name) {
        check(member, of: field)
      } else if let field = missingField(spelt: member), misspelt.insert(field.key).inserted {
        report(
          .misspelt(member.name, field: field.key, file.ref.kind), member.key,
          severity: severity(field),
          fix: isCertain(member, for: field)
            ? .rename(member: member.name, to: field.key) : nil)
      } else {
        reportUnknown(member)
      }
    }
    for field in schema.fields {
      let present = field.keys.compactMap { key in file.document.root.member(key) }
        .filter { $0.value.kind != .null }
      if present.count > 1 {
        report(.ambiguous(present[1].name, with: present[0].name), present[1].key)
      } else if present.isEmpty, isNeeded(field), !misspelt.contains(field.key) {
        reportMissing(field)
      }
    }
    return problems.sorted { ($0.position ?? .start) < ($1.position ?? .start) }
  }

  private func isNeeded(_ field: Field) -> Bool {
    field.isRequired && !(isDraft && field.shape == .lines)
  }

  /// Returns the missing field whose name a member seems to have in another spelling, or `nil`.
  ///
  /// Nothing is taken for a story's text: `comment` beside a missing `content` is somebody's note.
  private func missingField(spelt member: JSONNode.Member) -> Field? {
    guard member.value.kind != .null, member.name != Schema.schemaKey,
      let key = Nearest.match(member.name, among: schema.keyOrder),
      let field = schema.field(key: key), field.key == key,
      isNeeded(field), field.shape != .lines,
      !field.keys.contains(where: { file.document.root[$0] != nil })
    else { return nil }
    return field
  }

  /// Whether a member is certainly a missing field: no other member may be it, the names are as
  /// good as equal, and the value is valid.
  private func isCertain(_ member: JSONNode.Member, for field: Field) -> Bool {
    guard Nearest.isCertain(member.name, spells: field.key),
      file.document.root.members.count(where: { missingField(spelt: $0) == field }) == 1
    else { return false }
    if case .reference(let kind) = field.shape {
      guard let name = member.value.string, !name.isEmpty else { return false }
      return references.meaning(of: RecordRef(kind: kind, name: name)) != .unknown
    }
    var trial = self
    trial.problems = []
    trial.check(member, of: field)
    return trial.problems.isEmpty
  }

  /// The problem of a new record that is of another kind than its folder's, or `nil`.
  ///
  /// A record with a title that only its own kind has, such as a hero's name, is of that kind.
  private var wrongFolder: Problem? {
    guard sidecar == nil, let kind = EntityKind(likelyFor: file.document.root),
      kind != file.ref.kind,
      schema.titleKey == kind.schema.titleKey || file.document.root[schema.titleKey] == nil
    else { return nil }
    return Problem(
      .wrongFolder(kind, in: file.ref.kind), file: file.ref.path,
      position: file.document.root.position)
  }

  private mutating func report(
    _ what: Problem.What, _ node: JSONNode, severity: Problem.Severity = .error,
    fix: RecordFix? = nil
  ) {
    problems.append(
      Problem(what, severity: severity, file: file.ref.path, position: node.position, fix: fix))
  }

  private mutating func reportMissing(_ field: Field) {
    let null = field.keys.compactMap { file.document.root[$0] }.first { $0.kind == .null }
    report(
      .missing(field, isNull: null != nil, in: .record), null ?? file.document.root,
      severity: severity(field))
  }

  private func severity(_ field: Field) -> Problem.Severity {
    agreed.contains(field) ? .warning : .error
  }

  private mutating func reportUnknown(_ member: JSONNode.Member) {
    guard member.name != Schema.schemaKey else { return }
    // A name that is not similar to a known one is the user's own note.
    guard let nearest = Nearest.match(member.name, among: schema.keyOrder) else { return }
    report(
      .unknownField(member.name, nearest: nearest, in: .record), member.key, severity: .warning)
  }

  private mutating func check(_ member: JSONNode.Member, of field: Field) {
    let (name, node) = (member.name, member.value)
    if node.kind == .null { return }
    let severity = severity(field)
    switch field.shape {
    case .text(let length): checkText(name, node, length, severity)
    case .choice(let choices): checkChoice(name, node, choices, severity)
    case .boolean:
      if node.value.bool == nil {
        let meant: [String: JSONValue] = ["true": true, "false": false]
        reportType(
          name, node, .boolean,
          fix: node.string.flatMap { meant[$0] }.map { .set(member: name, $0) })
      }
    case .integer(let range): checkInteger(name, node, range, severity)
    case .number:
      if node.number == nil { reportType(name, node, .number) }
    case .list(let count, let length): checkList(name, node, count, length, severity)
    case .phrases(let count, let length):
      if node.kind == .array {
        checkList(name, node, count, length, severity)
      } else {
        checkText(name, node, length, severity, expected: .stringOrStrings)
      }
    case .lines: checkLines(name, node, isRequired: field.isRequired && !isDraft, severity)
    case .reference(let kind): checkReference(member, node, field, kind)
    }
  }

  private mutating func reportType(
    _ name: String, _ node: JSONNode, _ expected: WireMismatch.Expected, fix: RecordFix? = nil
  ) {
    report(.wrongType(name, expected, found: node.kind), node, fix: fix)
  }

  private mutating func checkInteger(
    _ name: String, _ node: JSONNode, _ range: ClosedRange<Int>, _ severity: Problem.Severity
  ) {
    guard let number = node.number else {
      let meant = node.string.flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil }
      return reportType(
        name, node, .wholeNumber,
        fix: meant.map { .set(member: name, .number($0)) })
    }
    guard number.isWhole else {
      return report(.notWhole(name, number), node)
    }
    // A number beyond any integer is not a value, not even the server's.
    guard let value = number.integer else {
      return report(.outOfRange(name, range, number), node)
    }
    if !range.contains(value) {
      report(.outOfRange(name, range, number), node, severity: severity)
    }
  }

  private mutating func checkText(
    _ name: String, _ node: JSONNode, _ length: ClosedRange<Int>, _ severity: Problem.Severity,
    expected: WireMismatch.Expected = .string
  ) {
    guard let text = node.string else { return reportType(name, node, expected) }
    let count = text.utf16.count
    if length.lowerBound > 0, text.isBlank {
      report(.blank(name), node, severity: severity)
    } else if count > length.upperBound {
      report(.tooLong(name, count: count, limit: length.upperBound), node, severity: severity)
    }
  }

  private mutating func checkChoice(
    _ name: String, _ node: JSONNode, _ choices: [String], _ severity: Problem.Severity
  ) {
    guard let text = node.string else { return reportType(name, node, .string) }
    guard !choices.contains(text) else { return }
    let meant = choices.first { $0.lowercased() == text.lowercased() }
    report(
      .choice(name, value: text, allowed: choices), node, severity: severity,
      fix: meant.map { .set(member: name, .string($0)) })
  }

  private mutating func checkList(
    _ name: String, _ node: JSONNode, _ count: ClosedRange<Int>, _ length: ClosedRange<Int>,
    _ severity: Problem.Severity
  ) {
    guard node.kind == .array else {
      let word = node.string.flatMap { $0.isEmpty || $0.contains(",") ? nil : $0 }
      return reportType(
        name, node, .strings,
        fix: word.map { .set(member: name, [.string($0)]) })
    }
    let elements = node.elements
    if !count.contains(elements.count) {
      report(.wrongCount(name, count, elements.count), node, severity: severity)
    }
    for (place, element) in elements.enumerated() {
      checkText("\(name)[\(place)]", element, length, severity)
    }
  }

  private mutating func checkLines(
    _ name: String, _ node: JSONNode, isRequired: Bool, _ severity: Problem.Severity
  ) {
    var isEmpty = true
    if let text = node.string {
      isEmpty = text.isBlank
    } else if node.kind == .array {
      for (place, element) in node.elements.enumerated() {
        guard let line = element.string else {
          return reportType("\(name)[\(place)]", element, .string)
        }
        if !line.isBlank { isEmpty = false }
      }
    } else {
      return reportType(name, node, .lines)
    }
    if isEmpty, isRequired { report(.blank(name), node, severity: severity) }
  }

  private mutating func checkReference(
    _ member: JSONNode.Member, _ node: JSONNode, _ field: Field, _ kind: EntityKind
  ) {
    guard let name = node.string else { return reportType(member.name, node, .string) }
    guard !name.isEmpty else { return report(.blank(member.name), node) }
    guard member.name == field.key else {
      if references.name(of: kind, id: name) == nil, !agreed.contains(field) {
        report(.unknownID(member.name, kind), node, severity: .warning)
      }
      return
    }
    let target = RecordRef(kind: kind, name: name)
    if let present = outdated[field] {
      return report(.outdatedReference(target, present: present), node, severity: .warning)
    }
    guard references.meaning(of: target) == .unknown else { return }
    let isUnknown = unknown.contains(target)
    let (guess, meant) = isUnknown ? guess(name, field, kind) : (.removed, nil)
    report(
      .unknownReference(target, guess), node, severity: isUnknown ? .error : .warning,
      fix: meant.map { .set(member: field.key, .string($0)) })
  }

  /// Returns what a reference to nothing may mean, and the name if that is certain.
  private func guess(
    _ name: String, _ field: Field, _ kind: EntityKind
  ) -> (Problem.Guess?, meant: String?) {
    var bare = name[...]
    if bare.hasPrefix(kind.folder + "/") { bare = bare.dropFirst(kind.folder.count + 1) }
    if bare.hasSuffix(".json") { bare = bare.dropLast(5) }
    if bare != name[...], references.contains(RecordRef(kind: kind, name: String(bare))) {
      return (.path(String(bare)), String(bare))
    }
    if let known = references.name(of: kind, id: name) {
      return (.id(field: field.wireKey), known)
    }
    let titled = references.names(titled: name, of: kind)
    if titled.count == 1 { return (.title(titled[0]), titled[0]) }
    if let nearest = references.nearest(to: name, of: kind) {
      return (.similar(nearest), nearest.lowercased() == name.lowercased() ? nearest : nil)
    }
    return (nil, nil)
  }
}

extension String {
  /// Whether the text has nothing but white space. Servers take such a text for an empty one.
  fileprivate var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}

extension TextPosition {
  static let start = TextPosition(line: 1, column: 1)
}
