public import JSONText
public import StoryLibrary

extension Dialect {
  /// Converts a record's canonical members to the dialect's own form.
  func outbound(_ body: JSONObject, kind: EntityKind) -> JSONObject {
    self == .v1 && kind == .heroes ? Self.abilitiesAsList(body) : body
  }

  /// Converts a new record's canonical members to the dialect's own form.
  ///
  /// `v1` refuses null in a new record. A missing member becomes null.
  func outboundNew(_ body: JSONObject, kind: EntityKind) -> JSONObject {
    guard self == .v1 else { return body }
    let members = body.members.filter { !$0.value.isNull }.map { (key: $0.key, value: $0.value) }
    return outbound(JSONObject(members), kind: kind)
  }

  /// Whether a story's play count is an ordinary member. Otherwise it is incremented by separate
  /// requests.
  public var setsPlayCount: Bool { self != .v1 }

  /// Whether a change can clear any optional member and set any member that a person owns.
  public var takesEveryChange: Bool { self != .v1 }

  /// Whether the client chooses a new record's id, based on the write's key, so that a repeated
  /// create finds the record that it made.
  public var givesIDs: Bool { self == .kinto }

  /// Returns the id of the record that a create makes, or `nil` if the server chooses it.
  package func newID(_ write: RemoteWrite) -> String? {
    givesIDs && write.operation == .create ? KintoForm.id(key: write.idempotencyKey) : nil
  }

  /// Returns whether an existing record was made by an earlier attempt of the same create.
  func isMade(_ record: RemoteRecord, by write: RemoteWrite) -> Bool {
    guard record.id == newID(write) else { return false }
    return KintoForm.isRandom(write.idempotencyKey)
      || record.fields == FieldValues(kind: write.kind, wire: write.body)
  }

  /// Returns the value of `If-Match` for a revision.
  ///
  /// - Throws: `APIError.invalidIdentifier` for a revision that the server cannot have given.
  func tag(_ revision: String) throws(APIError) -> String {
    guard self == .kinto else { return revision }
    guard let milliseconds = KintoForm.milliseconds(revision) else {
      throw .invalidIdentifier(ServerText.shown(revision, limit: 80))
    }
    return String(milliseconds)
  }

  /// Returns whether the server ignores a change of a member: its answer has the old value.
  ///
  /// - Parameters:
  ///   - key: The member's name on the wire.
  ///   - value: The new value.
  ///   - kind: The record's kind.
  public func ignores(_ key: String, _ value: JSONValue, of kind: EntityKind) -> Bool {
    guard !takesEveryChange, key != "specialAbility" else { return false }
    if kind == .stories, key == "heroId" || key == "eventType" { return true }
    return value.isNull || value == ""
  }

  /// Whether media URLs are signed and thus differ at each read.
  public var signsMedia: Bool { self == .v1 }

  /// Returns the wire names of members that a new record cannot have. They are sent as a change
  /// afterwards.
  ///
  /// - Parameter kind: The record's kind.
  public func refusedInNew(_ kind: EntityKind) -> Set<String> {
    kind == .stories && !setsPlayCount ? ["playCount"] : []
  }

  /// Whether deleting a record clears references to it, without giving their records a newer
  /// revision.
  public var clearsReferences: Bool { self == .v1 }

  /// Converts a record's members from the dialect's own form to the canonical one.
  func inbound(_ object: JSONObject, kind: EntityKind) -> JSONObject {
    switch self {
    case .v0: object
    case .kinto: KintoForm.canonical(object)
    case .v1: kind == .heroes ? Self.abilitiesAsPhrases(object) : object
    }
  }

  func record(_ kind: EntityKind, at place: AnswerPlace) throws(APIError) -> RemoteRecord {
    let object = inbound(try place.object(), kind: kind)
    var record: RemoteRecord
    do throws(RemoteRecord.Malformation) {
      record = try RemoteRecord(kind: kind, wire: object)
    } catch {
      throw place[error.member].failure(.mismatch(error.mismatch))
    }
    guard ServerDate(record.updatedAt) != nil else {
      let found = ServerText.shown(record.updatedAt, limit: 40)
      throw place["updatedAt"].failure(.mismatch(WireMismatch(.date, found: .text(found))))
    }
    for member in record.server.members {
      record.server[member.key] = Redaction.unsigned(member.value)
    }
    return record
  }

  /// Decodes the record at `place`, which must have the given id.
  func record(
    _ kind: EntityKind, id: String, at place: AnswerPlace
  ) throws(APIError) -> RemoteRecord {
    let record = try record(kind, at: place)
    try place.confirm(id: id)
    return record
  }

  private static func abilitiesAsList(_ body: JSONObject) -> JSONObject {
    renamed(body, from: "specialAbility", to: "specialAbilities") { value in
      switch value {
      case .string(let text): text.isEmpty ? [] : [.string(text)]
      case .null: []
      default: value
      }
    }
  }

  private static func abilitiesAsPhrases(_ object: JSONObject) -> JSONObject {
    renamed(object, from: "specialAbilities", to: "specialAbility") { value in
      guard case .array(let elements) = value else { return value }
      return switch elements.count {
      case 0: .null
      case 1: elements[0]
      default: value
      }
    }
  }

  private static func renamed(
    _ object: JSONObject, from old: String, to new: String,
    _ change: (JSONValue) -> JSONValue
  ) -> JSONObject {
    guard object[old] != nil else { return object }
    return JSONObject(
      object.members.map { member in
        member.key == old
          ? (key: new, value: change(member.value)) : (key: member.key, value: member.value)
      })
  }
}
