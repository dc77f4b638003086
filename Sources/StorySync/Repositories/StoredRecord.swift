public import JSONText
public import StoryLibrary

/// A record of a library as a program sees it: what its file says, and how it stands.
public struct StoredRecord: Sendable, Hashable {
  /// The record's name.
  public let ref: RecordRef
  /// The members of its file, as they stand there: `hero` is a name, long text an array of lines.
  /// Members that this program does not know are among them, and stay.
  public var members: JSONObject
  /// The part that only the server sets, as the sidecar keeps it; empty for a new record.
  public let server: JSONObject
  /// The server's id; `nil` where the server does not have the record.
  public let id: String?
  /// How the file stands against what the server said last.
  public let state: RecordState
  /// Why the last try to sync it failed; `nil` where it did not.
  public let failure: FailureStore.Failure?

  /// A record that is not written yet. Its name is made of its title when it is.
  public init(new kind: EntityKind, members: JSONObject, folder: String = "") {
    let schema = kind.schema
    let key = schema.fieldIndex(wireKey: schema.titleKey).map { schema.fields[$0].key }
    let title = key.flatMap { members[$0]?.string } ?? ""
    let name = Path.join(folder, Slug.make(title, fallback: schema.noun))
    self.init(
      ref: RecordRef(kind: kind, name: name), members: members, server: JSONObject(), id: nil,
      state: .pendingCreate, failure: nil)
  }

  init(
    ref: RecordRef, members: JSONObject, server: JSONObject, id: String?, state: RecordState,
    failure: FailureStore.Failure?
  ) {
    self.ref = ref
    self.members = members
    self.server = server
    self.id = id
    self.state = state
    self.failure = failure
  }

  /// A text member; empty where it is absent.
  func text(_ key: String) -> String { members[key]?.string ?? "" }

  /// A long text, joined by line feeds.
  func longText(_ key: String) -> String {
    guard let lines = members[key]?.array else { return text(key) }
    return lines.compactMap(\.string).joined(separator: "\n")
  }

  /// A list of strings.
  func list(_ key: String) -> [String] { members[key]?.array?.compactMap(\.string) ?? [] }

  /// Sets a member; `nil` removes it, which clears the field on the server.
  mutating func set(_ key: String, _ value: String?) {
    // Not a conditional expression: its `nil` would be a JSON null.
    if let value { members[key] = .string(value) } else { members[key] = nil }
  }

  /// Sets a list.
  mutating func set(_ key: String, _ values: [String]) {
    members[key] = .array(values.map { .string($0) })
  }
}
