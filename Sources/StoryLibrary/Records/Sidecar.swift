public import JSONText

/// What the server said last of one record: the file `.sync/<name>.json` beside it.
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
/// Nothing in it differs between two copies of a library that pulled the same state: no local time,
/// no machine, no failure. `refs`, `conflict` and `delete` are left out where there is nothing to
/// say. Members that this program does not know are kept.
public struct Sidecar: Sendable, Hashable {
  /// The newest form of the file that this program knows; the member `version` is left out for it.
  public static let version = 1

  /// The server's id of the record.
  public var id: String
  /// The version that ``base`` was read at, verbatim as the server wrote it.
  public var updatedAt: String
  /// The person's part as the server has it, in wire form.
  public var base: FieldValues
  /// The names that references had when they were last resolved, by their key in the record
  /// (`hero`): such a name keeps its id when nothing here has that name any more.
  public var refs: JSONObject
  /// The server's part.
  public var server: JSONObject
  /// What waits for a person's decision; `nil` where nothing does.
  public var conflict: Conflict?
  /// Whether somebody said with `stories rm` that the record shall go on the server as well.
  public var isDeleteStated: Bool
  /// Members that this program does not know.
  public var unknown: JSONObject

  /// A decision that a person has to make.
  public enum Conflict: Sendable, Hashable {
    /// Both sides changed these fields to different values. `updatedAt` is the server's version that
    /// holds the server's values; all other fields have the sidecar's base.
    case fields(updatedAt: String, [FieldConflict])
    /// The record was edited here and deleted on the server.
    case deletedOnServer
    /// The record was deleted here and edited on the server.
    case deletedHere
  }

  /// One field that both sides changed, in wire form.
  public struct FieldConflict: Sendable, Hashable {
    /// The field's name on the wire.
    public var wireKey: String
    /// The value that both sides started from; null where there was none.
    public var base: JSONValue
    /// The server's value; null where it has none.
    public var server: JSONValue

    /// A conflict from its parts.
    public init(wireKey: String, base: JSONValue, server: JSONValue) {
      self.wireKey = wireKey
      self.base = base
      self.server = server
    }
  }

  /// A sidecar from its parts.
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

  /// The sidecar of a record that is as the server gave it.
  public init(_ record: RemoteRecord, refs: JSONObject) {
    self.init(
      id: record.id, updatedAt: record.updatedAt, base: record.fields, refs: refs,
      server: record.server)
  }

  /// The fields in conflict, by their names on the wire.
  public var conflictingKeys: [String] {
    if case .fields(_, let fields)? = conflict { fields.map(\.wireKey) } else { [] }
  }

  /// Takes what the server says now as the new base; a conflict and a stated delete stay.
  public mutating func rebase(on record: RemoteRecord) {
    id = record.id
    updatedAt = record.updatedAt
    base = record.fields
    server = record.server
  }
}
