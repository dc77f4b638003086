public import JSONText

/// The last known state of a record on the server: the file `.sync/<name>.json` next to it.
///
/// ```json
/// {
///   "id": "0d3f…",
///   "updatedAt": "2026-11-20T10:00:00.000Z",
///   "base": { "name": "Luna", "age": 7 },
///   "refs": { "hero": "luna" },
///   "server": { "createdAt": "…" },
///   "conflict": { "updatedAt": "…", "fields": { "title": { "base": "…", "server": "…" } } },
///   "delete": true
/// }
/// ```
/// Copies of a library that pulled the same state have identical sidecars: there is no local time,
/// machine or failure in them. Empty `refs`, `conflict` and `delete` are omitted. Unknown members
/// are kept.
public struct Sidecar: Sendable, Hashable {
  /// The newest version of the file that this program knows. Such files have no member `version`.
  public static let version = 1

  /// The record's id on the server.
  public var id: String
  /// The revision of ``base``, verbatim from the server.
  public var updatedAt: String
  /// The user's fields as the server has them, in wire form. A reference that changes loses its name
  /// in ``refs``.
  public var base: FieldValues {
    didSet {
      for field in base.kind.schema.references where base[field] != oldValue[field] {
        refs[field.key] = nil
      }
    }
  }
  /// The names of the base's references when they were last resolved, by key in the record (`hero`).
  /// They keep their ids even if no local record has such a name any more.
  public var refs: JSONObject
  /// The server's other members.
  public var server: JSONObject
  /// The conflict to resolve, or `nil`.
  public var conflict: Conflict? {
    didSet { if conflict != .deletedLocally { serverChanges = [] } }
  }
  /// The fields that the server changed in a record that was deleted locally.
  public var serverChanges: [FieldConflict] = []
  /// Whether `stories rm` requested that the record be deleted on the server too.
  public var isDeleteStated: Bool
  /// Unknown members.
  public var unknown: JSONObject

  /// A conflict that the user must resolve.
  public enum Conflict: Sendable, Hashable {
    /// Both sides changed these fields to different values. `updatedAt` is the revision with the
    /// server's values; all other fields have the sidecar's base.
    case fields(updatedAt: String, [FieldConflict])
    /// The record was edited locally and deleted on the server.
    case deletedOnServer
    /// The record was deleted locally and edited on the server.
    case deletedLocally
  }

  /// A field that both sides changed, in wire form.
  public struct FieldConflict: Sendable, Hashable {
    /// The field's name on the wire.
    public var wireKey: String
    /// The common original value, or null.
    public var base: JSONValue
    /// The server's value, or null.
    public var server: JSONValue

    /// Creates a field conflict.
    public init(wireKey: String, base: JSONValue, server: JSONValue) {
      self.wireKey = wireKey
      self.base = base
      self.server = server
    }
  }

  /// Creates a sidecar.
  public init(
    id: String, updatedAt: String, base: FieldValues, refs: JSONObject = JSONObject(),
    server: JSONObject = JSONObject(), conflict: Conflict? = nil, isDeleteStated: Bool = false
  ) {
    self.id = id
    self.updatedAt = updatedAt
    self.base = base
    self.refs = refs
    self.server = server
    self.conflict = conflict
    self.isDeleteStated = isDeleteStated
    unknown = JSONObject()
  }

  /// Creates the sidecar of a record as the server returned it.
  public init(_ record: RemoteRecord, refs: JSONObject) {
    self.init(
      id: record.id, updatedAt: record.updatedAt, base: record.fields, refs: refs,
      server: record.server)
  }

  /// The server's record, as last seen.
  public var record: RemoteRecord {
    RemoteRecord(kind: base.kind, id: id, updatedAt: updatedAt, fields: base, server: server)
  }

  /// The fields in conflict, or those that the server changed in a record deleted locally.
  public var fieldConflicts: [FieldConflict] {
    if case .fields(_, let fields)? = conflict { fields } else { serverChanges }
  }

  /// The wire names of the fields in conflict.
  public var conflictingKeys: [String] {
    if case .fields(_, let fields)? = conflict { fields.map(\.wireKey) } else { [] }
  }

  /// Makes this the conflict of a record that was deleted locally and edited on the server.
  ///
  /// - Parameter record: The server's record, or `nil` if the base is it.
  package mutating func setDeletedLocally(_ record: RemoteRecord?) {
    var known = serverChanges
    if case .fields(_, let fields)? = conflict { known += fields }
    let old = base
    if let record { rebase(on: record) }
    conflict = .deletedLocally
    isDeleteStated = false
    serverChanges = base.kind.schema.fields.compactMap { field in
      let before = known.first { $0.wireKey == field.wireKey }?.base ?? old.effective(field)
      let now = base.effective(field)
      guard now != before else { return nil }
      return FieldConflict(wireKey: field.wireKey, base: before, server: now)
    }
  }

  /// The sidecar as it counts beside a record: if that was deleted here and is back, its text is older
  /// than the base, so each field that the server changed meanwhile is in conflict.
  package var besideRecord: Sidecar {
    guard conflict == .deletedLocally else { return self }
    var sidecar = self
    sidecar.conflict =
      serverChanges.isEmpty ? nil : .fields(updatedAt: updatedAt, serverChanges)
    return sidecar
  }

  /// Makes the server's current state the new base. A conflict and a requested delete are kept.
  public mutating func rebase(on record: RemoteRecord) {
    id = record.id
    updatedAt = record.updatedAt
    base = record.fields
    server = record.server
  }
}

extension Sidecar {
  /// Returns whether the server wrote one revision before another.
  ///
  /// Both are from one server and one record, so they have the same form; only the fraction of a
  /// second may have more digits or be absent (RFC 3339, section 5.6).
  package static func isVersion(_ left: String, before right: String) -> Bool {
    let (left, right) = (parts(left), parts(right))
    if left.seconds != right.seconds { return left.seconds < right.seconds }
    return left.fraction < right.fraction
  }

  private static func parts(_ version: String) -> (seconds: String, fraction: String) {
    let text = version.last == "Z" || version.last == "z" ? version.dropLast() : version[...]
    guard let dot = text.firstIndex(of: ".") else { return (String(text), "") }
    var fraction = text[text.index(after: dot)...]
    while fraction.last == "0" { fraction.removeLast() }
    return (String(text[..<dot]), String(fraction))
  }
}
