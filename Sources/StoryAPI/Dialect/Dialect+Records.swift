public import JSONText
public import StoryLibrary

extension Dialect {
  /// The object that holds one record in an answer.
  func recordPlace(_ answer: AnswerPlace) -> AnswerPlace { answer["data"] }

  /// The members of a record as this dialect names them, from the canonical ones.
  func outbound(_ body: JSONObject, kind: EntityKind) -> JSONObject {
    switch self {
    case .v0, .kinto: body
    case .v1: kind == .heroes ? Self.abilitiesAsList(body) : body
    }
  }

  /// The members of a new record as this dialect names them.
  ///
  /// `v1` takes no null where it makes something new; what is left out is null there.
  func outboundNew(_ body: JSONObject, kind: EntityKind) -> JSONObject {
    switch self {
    case .v0, .kinto: body
    case .v1:
      outbound(
        JSONObject(
          body.members.filter { !$0.value.isNull }.map { (key: $0.key, value: $0.value) }),
        kind: kind)
    }
  }

  /// Whether a story's count of readings is a member like any other; it is counted up by requests
  /// of its own where it is not.
  public var setsPlayCount: Bool { self != .v1 }

  /// Whether a change may clear any optional member and set any that a person owns.
  public var takesEveryChange: Bool { self != .v1 }

  /// Whether a new record gets its id here, from its key: a create that is sent again finds the record
  /// that it made.
  public var givesIDs: Bool { self == .kinto }

  /// The id of the record that a create makes; `nil` where the server gives it.
  func newID(_ write: RemoteWrite) -> String? {
    givesIDs && write.operation == .create ? KintoForm.id(key: write.idempotencyKey) : nil
  }

  /// Whether a record that stands where a create wanted to make one is what that create, sent before,
  /// has made.
  func isMade(_ record: RemoteRecord, by write: RemoteWrite) -> Bool {
    guard record.id == newID(write) else { return false }
    return KintoForm.isRandom(write.idempotencyKey)
      || record.fields == FieldValues(kind: write.kind, wire: write.body)
  }

  /// The tag that `If-Match` has for a version.
  ///
  /// - Throws: `APIError.invalidIdentifier` for a version that the server cannot have given.
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

  /// Whether addresses of media are signed, and so differ at each read.
  public var signsMedia: Bool { self == .v1 }

  /// The members, by their wire names, that a new record cannot have; they are sent as a change to it.
  public func refusedInNew(_ kind: EntityKind) -> Set<String> {
    kind == .stories && !setsPlayCount ? ["playCount"] : []
  }

  /// Whether records that name a deleted one name nothing afterwards, without a newer version of
  /// theirs.
  public var clearsReferences: Bool { self == .v1 }

  /// The canonical members of a record, from those that this dialect sent.
  func inbound(_ object: JSONObject, kind: EntityKind) -> JSONObject {
    switch self {
    case .v0: object
    case .kinto: KintoForm.canonical(object)
    case .v1: kind == .heroes ? Self.abilitiesAsPhrases(object) : object
    }
  }

  /// Decodes a record that stands at `place`.
  ///
  /// - Throws: `APIError.decoding` with the member that is wrong.
  func record(_ kind: EntityKind, at place: AnswerPlace) throws(APIError) -> RemoteRecord {
    let object = inbound(try place.object(), kind: kind)
    do throws(RemoteRecord.Malformation) {
      var record = try RemoteRecord(kind: kind, wire: object)
      guard ServerDate(record.updatedAt) != nil else {
        throw .member(
          "updatedAt", expected: "a date", found: ServerText.shown(record.updatedAt, limit: 40))
      }
      for member in record.server.members {
        record.server[member.key] = Redaction.unsigned(member.value)
      }
      return record
    } catch {
      switch error {
      case .member(let key, let expected, let found):
        throw place[key].failure("\(found) instead of \(expected)")
      }
    }
  }

  /// Decodes the record with an id that stands at `place`.
  ///
  /// - Throws: `APIError.decoding`, also if it is another record.
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

  /// The object with one member under another name, at its place.
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
