public import JSONText
public import StoryLibrary

/// A three-way merge of a record's texts for git: by field, with a sync's rules, in our side's
/// layout.
///
/// Only the three texts are known: references are names, and unknown members are merged as a whole.
public struct RecordFileMerge: Sendable {
  /// The result of a merge.
  public struct Outcome: Sendable, Equatable {
    /// The merged text, which contains git's markers if there are conflicts.
    public var bytes: [UInt8]
    /// The keys of the conflicting members, in schema order.
    public var conflicts: [String]
  }

  /// A decision about a clash.
  package enum Pick: Sendable {
    case base
    case ours
    case theirs
    /// A value as in ``clashes``.
    case value(JSONValue)
  }

  let kind: EntityKind
  package var marks: MarkedText
  private let base: JSONNode?
  private let ours: JSONDocument
  private let theirs: JSONNode

  /// Parses the three texts, or returns `nil` if any is not a record and must be merged by lines.
  ///
  /// - Parameters:
  ///   - kind: The kind of the record.
  ///   - base: The text of the common ancestor, which is empty if both sides added the file.
  ///   - ours: The text of the current branch.
  ///   - theirs: The text of the branch being merged.
  package init?(
    _ kind: EntityKind, base: [UInt8], ours: [UInt8], theirs: [UInt8], marks: MarkedText
  ) {
    guard let ours = Self.object(ours), let theirs = Self.object(theirs) else { return nil }
    if base.isEmpty {
      self.base = nil
    } else {
      guard let base = Self.object(base) else { return nil }
      self.base = base.root
    }
    self.kind = kind
    self.marks = marks
    self.ours = ours
    self.theirs = theirs.root
  }

  private static func object(_ bytes: [UInt8]) -> JSONDocument? {
    guard let document = try? JSONDocument(parsing: bytes), document.root.kind == .object else {
      return nil
    }
    return document
  }

  // MARK: Merging

  private typealias Changes = [(key: String, value: JSONValue?)]

  /// The result for one unit, as changes to our side's text.
  private struct Decision {
    var merged: Changes = []
    /// The changes for each version of a conflict.
    var clash: (base: Changes, ours: Changes, theirs: Changes)?
  }

  /// The members that only a person can decide, in schema order: ours are the local versions, theirs the
  /// server's. The values are as a file has them, except that long text is one string; null if absent.
  package var clashes: [FieldVersions] {
    units.compactMap { unit in
      guard decide(unit).clash != nil else { return nil }
      return clash(unit)
    }
  }

  private func clash(_ unit: Unit) -> FieldVersions {
    func value(_ root: JSONNode?) -> JSONValue {
      let meaning = side(root, unit).meaning ?? .null
      // A reference is an object with the name of its key.
      guard unit.field?.referencedKind != nil else { return meaning }
      return meaning.object?.members.first?.value ?? .null
    }
    return FieldVersions(
      field: unit.field ?? Field(unknownMember: unit.keys[0]), base: value(base),
      local: value(ours.root), server: value(theirs))
  }

  /// Merges the texts.
  ///
  /// - Parameter pick: Returns the decision about a clash by its key; `nil` leaves it marked.
  /// - Throws: `JSONEditError` if the result would exceed the limits of `JSONDocument`.
  package func outcome(
    picking pick: (String) -> Pick? = { _ in nil }
  ) throws(JSONEditError) -> Outcome {
    var merged: Changes = []
    var (base, mine, other): (Changes, Changes, Changes) = ([], [], [])
    var conflicts: [String] = []
    for unit in units {
      let decision = decide(unit)
      merged += decision.merged
      guard let clash = decision.clash else { continue }
      if let pick = pick(unit.keys[0]) {
        merged += changes(pick, unit, clash)
        continue
      }
      conflicts.append(unit.keys[0])
      base += clash.base
      mine += clash.ours
      other += clash.theirs
    }
    let text = try setting(merged, in: ours)
    guard !conflicts.isEmpty else { return Outcome(bytes: text.bytes, conflicts: []) }
    let bytes = marks.file(
      base: try setting(base, in: text).bytes, ours: try setting(mine, in: text).bytes,
      theirs: try setting(other, in: text).bytes)
    return Outcome(bytes: bytes, conflicts: conflicts)
  }

  private func changes(
    _ pick: Pick, _ unit: Unit, _ versions: (base: Changes, ours: Changes, theirs: Changes)
  ) -> Changes {
    switch pick {
    case .base: return versions.base
    case .ours: return versions.ours
    case .theirs: return versions.theirs
    case .value(let value):
      let clash = clash(unit)
      // The id of a reference without a local record has a key of its own.
      if value == clash.local { return versions.ours }
      if value == clash.server { return versions.theirs }
      if value == clash.base { return versions.base }
      let mine = side(ours.root, unit)
      let text = unit.field.map { written(value, like: mine, $0) } ?? value
      let others = mine.members.filter { $0.key != unit.keys[0] }.map { ($0.key, JSONValue?.none) }
      return [(unit.keys[0], value.isNull ? nil : text)] + others
    }
  }

  private func setting(
    _ changes: Changes, in document: JSONDocument
  ) throws(JSONEditError) -> JSONDocument {
    try document.setting(
      changes, order: kind.schema.memberOrder, brokenArrays: kind.schema.brokenArrays)
  }

  // MARK: Units

  /// A unit of merging: a field with all its possible names, or an unknown member.
  private struct Unit {
    var keys: [String]
    var field: Field?
  }

  private var units: [Unit] {
    let fields = kind.schema.fields.map { Unit(keys: $0.keys, field: $0) }
    var known = Set(kind.schema.keyOrder.map(ExactName.init))
    var others: [Unit] = []
    for root in [ours.root, theirs, base].compactMap(\.self) {
      for member in root.members where known.insert(ExactName(member.name)).inserted {
        others.append(Unit(keys: [member.name], field: nil))
      }
    }
    return fields + others
  }

  /// The members of a unit on one side.
  private struct Side: Equatable {
    var members: [JSONObject.Member] = []
    /// Their meaning, or `nil` if it is the same as their absence.
    var meaning: JSONValue?
    /// Their form: long text as one string or as lines, references by name or by id.
    var form: [String] = []
  }

  private func side(_ root: JSONNode?, _ unit: Unit) -> Side {
    var side = Side()
    for key in unit.keys {
      guard let node = root?[key] else { continue }
      side.members.append(JSONObject.Member(key: key, value: node.value))
    }
    guard let field = unit.field else {
      side.meaning = side.members.first.map(\.value)
      return side
    }
    let present = side.members.filter { !$0.value.isNull }
    side.form = present.map { $0.key + ($0.value.array == nil ? "" : "[]") }
    guard let first = present.first else { return side }
    if field.referencedKind != nil {
      side.meaning = .object(JSONObject(present.map { ($0.key, $0.value) }))
    } else if field.shape == .lines, let lines = first.value.strings {
      side.meaning = .string(lines.joined(separator: "\n"))
    } else if first.value != field.defaultValue {
      side.meaning = first.value
    }
    return side
  }

  // MARK: One unit

  private func decide(_ unit: Unit) -> Decision {
    let (before, mine, other) = (side(base, unit), side(ours.root, unit), side(theirs, unit))
    if mine.meaning == other.meaning || other.meaning == before.meaning { return Decision() }
    if mine.meaning == before.meaning {
      // A side that changed only the form keeps it.
      let isFormOurs = other.form == before.form && mine.form != before.form
      if isFormOurs, let value = other.meaning, let field = unit.field, field.referencedKind == nil
      {
        return Decision(merged: [(unit.keys[0], written(value, like: mine, field))])
      }
      return Decision(merged: replacing(mine, by: other, unit))
    }
    if let field = unit.field, field.referencedKind == nil {
      if let merged = settled(field, before, mine, other) {
        return Decision(merged: [(unit.keys[0], written(merged, like: mine, field))])
      }
      if field.merge == .lines, let clash = clashingLines(unit, field, before, mine, other) {
        return clash
      }
    }
    return Decision(
      clash: (
        base: replacing(mine, by: before, unit), ours: [], theirs: replacing(mine, by: other, unit)
      ))
  }

  private func settled(
    _ field: Field, _ before: Side, _ mine: Side, _ other: Side
  ) -> JSONValue? {
    // Without an ancestor, these may be two records, whose lists must not be joined.
    guard base != nil else { return nil }
    // The rules have a local side and a server. Local additions go after the server's.
    return Merge.settled(
      field, base: before.meaning ?? field.absentValue,
      local: other.meaning ?? field.absentValue, remote: mine.meaning ?? field.absentValue)
  }

  private func replacing(_ side: Side, by other: Side, _ unit: Unit) -> Changes {
    unit.keys.compactMap { key in
      if let member = other.members.first(where: { $0.key == key }) { return (key, member.value) }
      return side.members.contains { $0.key == key } ? (key, nil) : nil
    }
  }

  /// Returns a value in the form that a side uses.
  private func written(_ value: JSONValue, like side: Side, _ field: Field) -> JSONValue {
    guard field.shape == .lines, let text = value.string, side.members.first?.value.string == nil
    else { return value }
    return .array(RecordFile.lines(of: text).map { .string($0) })
  }

  /// Returns long text with some conflicting lines. The other lines are merged in all versions.
  private func clashingLines(
    _ unit: Unit, _ field: Field, _ before: Side, _ mine: Side, _ other: Side
  ) -> Decision? {
    guard let local = mine.meaning?.string, let remote = other.meaning?.string else { return nil }
    let base = before.meaning?.string
    guard before.meaning == nil || base != nil else { return nil }
    let regions = LineMerge.regions(
      base: base.map { RecordFile.lines(of: $0) } ?? [], local: RecordFile.lines(of: local),
      remote: RecordFile.lines(of: remote))
    func changes(_ lines: (LineMerge.Region) -> [String]) -> Changes {
      let text = regions.flatMap { $0.merged ?? lines($0) }.joined(separator: "\n")
      return [(unit.keys[0], written(.string(text), like: mine, field))]
    }
    return Decision(clash: (changes(\.base), changes(\.local), changes(\.remote)))
  }
}

/// A field that both sides changed, with its three versions.
public struct FieldVersions: Sendable {
  /// The field.
  public var field: Field
  /// The base version, or null if there was none.
  public var base: JSONValue
  /// The local version.
  public var local: JSONValue
  /// The server's version.
  public var server: JSONValue

  package init(field: Field, base: JSONValue, local: JSONValue, server: JSONValue) {
    (self.field, self.base, self.local, self.server) = (field, base, local, server)
  }
}
