public import JSONText
public import StoryLibrary
import StoryMerge

/// The fields in conflict of one record as a text that a person edits, and back.
///
/// ```
/// # stories/first-snow
/// # …
/// @@ title @@
/// <<<<<<< local
/// My Snow
/// ||||||| base
/// Snow
/// =======
/// Their Snow
/// >>>>>>> server
///
/// @@ end @@
/// ```
/// Strings appear as they are, other values as JSON, references by name. In long text only the
/// conflicting lines are marked. Text above the first heading is ignored.
public struct ConflictDraft: Sendable {
  /// The parsed text from an editor.
  public struct Reading: Sendable {
    /// The values in wire form, by wire key.
    public var values: [String: JSONValue] = [:]
    /// The keys of the fields still in conflict: a marker was left, or the heading is gone.
    public var open: [String] = []
    /// The problems of other fields, which stay in conflict too; they name the record's file only.
    public var problems: [(key: String, problem: Problem)] = []
  }

  /// The record.
  public let ref: RecordRef
  /// The fields, with their versions in wire form.
  public let fields: [FieldVersions]
  private let references: ReferenceTable
  private let sidecar: Sidecar?
  private let marks: MarkedText
  private let headingMark: String
  /// Whether values are as in a file, in which references are names.
  private let isOfFile: Bool

  /// Creates a draft of some fields in conflict.
  ///
  /// - Parameters:
  ///   - ref: the record.
  ///   - fields: its fields, see ``ConflictResolver/Conflict/fields``.
  ///   - references: the names and ids of the library.
  ///   - sidecar: the record's sidecar, which has the ids of names that are gone.
  ///   - labels: the names of the two sides.
  ///   - isOfFile: whether the values are as in a file, see ``ConflictResolver/MarkedRecord``.
  public init(
    _ ref: RecordRef, _ fields: [FieldVersions], references: ReferenceTable,
    sidecar: Sidecar? = nil, labels: (local: String, server: String) = ("local", "server"),
    isOfFile: Bool = false
  ) {
    self.isOfFile = isOfFile
    self.ref = ref
    self.fields = fields
    self.references = references
    self.sidecar = sidecar
    let lines = fields.flatMap { field in
      [field.base, field.local, field.server].flatMap {
        Self.lines(of: $0, field, references)
      }
    }
    var marks = MarkedText(around: lines)
    marks.names = (labels.local, "base", labels.server)
    self.marks = marks
    let longest = lines.lazy.filter { $0.hasPrefix("@@") }.map { $0.prefix { $0 == "@" }.count }
    headingMark = String(repeating: "@", count: (longest.max() ?? 1) + 1)
  }

  // MARK: Writing

  /// The text for the editor.
  public var text: String {
    var lines = [
      "# \(ref)",
      "#",
      "# Each field below was changed on both sides. Write below its heading what it shall",
      "# say, and remove the lines with <<<<<<<, |||||||, ======= and >>>>>>>. A field in which one",
      "# of these lines is left stays in conflict. These lines here are not read.",
      "",
    ]
    for field in fields {
      lines.append(heading(field.field.key))
      lines += marked(field)
      lines.append("")
    }
    lines.append(heading("end"))
    return lines.joined(separator: "\n") + "\n"
  }

  private func heading(_ key: String) -> String { "\(headingMark) \(key) \(headingMark)" }

  private func marked(_ field: FieldVersions) -> [String] {
    let base = Self.lines(of: field.base, field, references)
    let local = Self.lines(of: field.local, field, references)
    let server = Self.lines(of: field.server, field, references)
    guard field.field.merge == .lines else {
      return marks.block(base: base, local: local, remote: server)
    }
    return marks.lines(LineMerge.regions(base: base, local: local, remote: server))
  }

  /// Returns a value as lines; none for null.
  private static func lines(
    of value: JSONValue, _ field: FieldVersions, _ references: ReferenceTable
  ) -> [String] {
    switch value {
    case .null: return []
    case .string(let id) where field.field.referencedKind != nil:
      let kind = field.field.referencedKind ?? .heroes
      return [references.name(of: kind, id: id) ?? id]
    case .string(let text) where field.isPlainText: return RecordFile.lines(of: text)
    default: return [value.compactText]
    }
  }

  /// Returns one version of a field as a text to edit, as the draft shows it.
  public func text(of value: JSONValue, _ field: FieldVersions) -> String {
    Self.lines(of: value, field, references).joined(separator: "\n")
  }

  /// Returns whether the texts of a field are JSON.
  public func isJSON(_ field: FieldVersions) -> Bool {
    !field.isPlainText && field.field.referencedKind == nil
  }

  // MARK: Reading

  /// Returns the value of a field's edited text, in wire form.
  ///
  /// - Throws: `Problem` if the record must not have that value.
  public func value(
    of text: String, _ field: FieldVersions
  ) throws(Problem) -> JSONValue {
    try value(of: text.isEmpty ? [] : RecordFile.lines(of: text), field)
  }

  /// Parses the edited text.
  public func reading(_ text: String) -> Reading {
    var sections: [String: [String]] = [:]
    var current: String?
    let keys = fields.map(\.field.key) + ["end"]
    for line in RecordFile.lines(of: text) {
      if let key = keys.first(where: { heading($0).utf8.elementsEqual(line.utf8) }) {
        current = key
        sections[key] = []
      } else if let current {
        sections[current]?.append(line)
      }
    }
    var reading = Reading()
    for field in fields {
      guard var lines = sections[field.field.key], !lines.contains(where: marks.isMarker) else {
        reading.open.append(field.field.key)
        continue
      }
      // The empty line before the next heading is only for looks.
      if lines.last == "" { lines.removeLast() }
      do throws(Problem) {
        reading.values[field.field.wireKey] = try value(of: lines, field)
      } catch {
        reading.problems.append((field.field.key, error))
      }
    }
    return reading
  }

  /// Returns the value of the lines below a heading, in wire form.
  private func value(
    of lines: [String], _ field: FieldVersions
  ) throws(Problem) -> JSONValue {
    let trimmed = lines.drop { $0.isEmpty }.reversed().drop { $0.isEmpty }.reversed()
    let written: JSONValue
    if field.field.shape == .lines {
      written = lines.isEmpty ? .null : .string(lines.joined(separator: "\n"))
    } else if trimmed.isEmpty {
      written = .null
    } else if field.isPlainText || field.field.referencedKind != nil {
      written = .string(trimmed.joined(separator: "\n"))
    } else {
      written = try json(trimmed.joined(separator: "\n"), field)
    }
    if written.isNull {
      guard !field.field.isRequired else {
        throw Problem(.missing(field.field, isNull: true, in: .draft), file: ref.path)
      }
      return field.field.absentValue
    }
    // An id without a local name is kept as an id.
    if field.field.referencedKind != nil, [field.base, field.local, field.server].contains(written)
    {
      return written
    }
    return try checked(written, field)
  }

  private func json(
    _ text: String, _ field: FieldVersions
  ) throws(Problem) -> JSONValue {
    do throws(JSONSyntaxError) {
      return try JSONValue(parsing: Array(text.utf8))
    } catch {
      throw Problem(.valueNotJSON(field.field.key, error), file: ref.path)
    }
  }

  /// Returns the value in wire form if a record may contain it.
  private func checked(
    _ value: JSONValue, _ field: FieldVersions
  ) throws(Problem) -> JSONValue {
    let object: JSONObject = [field.field.key: value]
    let file = try RecordFile(ref: ref, bytes: JSONValue.object(object).compactBytes)
    let found = file.problems(references: references, sidecar: sidecar)
    if var problem = found.first(where: { $0.severity == .error && $0.code != .missing }) {
      problem.position = nil
      throw problem
    }
    if isOfFile { return value }
    let reading = file.reading(references: references, sidecar: sidecar)
    if let target = reading.pending.first {
      throw Problem(.unsentReference(target), file: ref.path)
    }
    return reading.values.effective(field.field)
  }
}

extension FieldVersions {
  /// Whether a draft shows the field as plain text, not as JSON.
  fileprivate var isPlainText: Bool {
    switch field.shape {
    case .text, .choice, .lines, .phrases:
      [base, local, server].allSatisfy { $0.isNull || $0.string != nil }
    case .integer, .number, .boolean, .list, .reference: false
    }
  }

  /// Both versions in one value, in wire form: the result of the field's merge rule, and for
  /// conflicting lines of long text both sides, local ones first. `nil` if that is impossible.
  public var both: JSONValue? {
    if let merged = Merge.settled(field, base: base, local: local, remote: server) { return merged }
    guard field.merge == .lines, let local = local.string, let server = server.string else {
      return nil
    }
    let lines = LineMerge.union(
      base: base.string.map { RecordFile.lines(of: $0) } ?? [], local: RecordFile.lines(of: local),
      remote: RecordFile.lines(of: server))
    return .string(lines.joined(separator: "\n"))
  }
}
