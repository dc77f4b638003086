public import JSONText
public import StoryLibrary

/// A record of a library for programs: its file's content and its state.
public struct StoredRecord: Sendable, Hashable {
  /// The record's name.
  public let ref: RecordRef
  /// The members of its file: `hero` is a name, long text an array of lines. Members unknown to
  /// this program are included and stay.
  public var members: JSONObject
  /// The fields that only the server sets, from the sidecar; empty for a new record.
  public let server: JSONObject
  /// The server's id, or `nil` if the server does not have the record.
  public let id: String?
  /// The record's sync state.
  public let state: RecordState
  /// The reason why its last sync failed, or `nil` if it did not.
  public let failure: FailureStore.Failure?
}

extension StoredRecord {
  /// Creates a record from its members and the sidecar next to it, without reading other records.
  init(_ ref: RecordRef, _ members: JSONObject, in library: Library) {
    let sidecar = try? library.sidecar(at: ref).besideRecord
    let file = try? RecordFile(ref: ref, bytes: JSONValue.object(members).compactBytes)
    let reading = file?.reading(references: ReferenceTable(), sidecar: sidecar)
    let isReadable = sidecar != nil || !FileSystem.exists(library.path(ref.sidecarPath))
    self.init(
      ref: ref, members: members, server: sidecar?.server ?? JSONObject(), id: sidecar?.id,
      state: (isReadable ? reading?.state(sidecar) : nil) ?? .unreadable, failure: nil)
  }

  /// Creates a record that is not written yet. Its name is made from its title.
  public init(new kind: EntityKind, members: JSONObject, folder: String = "") {
    let schema = kind.schema
    let key = schema.field(wireKey: schema.titleKey)?.key
    let title = key.flatMap { members[$0]?.string } ?? ""
    let name = Path.join(folder, Slug.make(title, fallback: schema.noun))
    self.init(
      ref: RecordRef(kind: kind, name: name), members: members, server: JSONObject(), id: nil,
      state: .pendingCreate, failure: nil)
  }

  func text(_ key: String) -> String { members[key]?.string ?? "" }

  func longText(_ key: String) -> String {
    guard let lines = members[key]?.array else { return text(key) }
    return lines.compactMap(\.string).joined(separator: "\n")
  }

  func list(_ key: String) -> [String] { members[key]?.array?.compactMap(\.string) ?? [] }

  /// Sets a member; `nil` removes it, which clears the field on the server.
  mutating func set(_ key: String, _ value: String?) {
    // Not a conditional expression: its `nil` would be a JSON null.
    if let value { members[key] = .string(value) } else { members[key] = nil }
  }

  mutating func set(_ key: String, _ values: [String]) {
    members[key] = .array(values.map { .string($0) })
  }
}

/// A typed view of a ``StoredRecord``.
public protocol LibraryRecord: Sendable, Hashable {
  /// The kind of these records.
  static var kind: EntityKind { get }
  /// The stored record.
  var stored: StoredRecord { get set }
  /// Creates a record from a stored one of ``kind``.
  init(_ stored: StoredRecord)
}

extension LibraryRecord {
  /// The record's name.
  public var ref: RecordRef { stored.ref }
  /// The record's state.
  public var state: RecordState { stored.state }
  /// The reason why its last sync failed, or `nil` if it did not.
  public var failure: FailureStore.Failure? { stored.failure }
}
