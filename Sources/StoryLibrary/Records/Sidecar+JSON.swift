import JSONText

extension Sidecar {
  /// Reads a sidecar.
  ///
  /// - Parameter ref: the record it belongs to.
  /// - Throws: `Problem`: not JSON, conflict markers, a member that is missing or has the wrong type,
  ///   or a newer version than this program knows.
  public init(bytes: [UInt8], ref: RecordRef) throws(Problem) {
    let file = ref.sidecarPath
    let document: JSONDocument
    do throws(JSONSyntaxError) {
      document = try JSONDocument(parsing: bytes)
    } catch {
      var problem = Problem(error, file: file, bytes: bytes)
      if problem.code == .syntax || problem.code == .empty {
        problem.code = .sidecar
        problem.hint = Self.mendingHint(file)
      }
      throw problem
    }
    func malformed(_ what: String) -> Problem {
      Problem(
        .sidecar, file: file, position: TextPosition(line: 1, column: 1),
        message: "this sidecar is not one: \(what)", hint: Self.mendingHint(file))
    }
    guard let object = document.root.value.object else { throw malformed("it is no object") }
    let version = object["version"] ?? .number(JSONNumber(Self.version))
    guard let number = version.integer, number >= 1 else {
      throw malformed("its version is no number")
    }
    guard number <= Self.version else {
      throw Problem(
        .newerVersion, file: file,
        message: "this sidecar was written by a newer version of stories (form \(number))",
        hint: "install the newest stories")
    }
    guard let id = object["id"]?.string, !id.isEmpty else { throw malformed("it has no id") }
    guard let updatedAt = object["updatedAt"]?.string, !updatedAt.isEmpty else {
      throw malformed("it has no updatedAt")
    }
    guard let base = object["base"]?.object else { throw malformed("it has no base") }
    self.init(
      id: id, updatedAt: updatedAt, base: FieldValues(kind: ref.kind, wire: base),
      refs: object["refs"]?.object ?? JSONObject(),
      server: object["server"]?.object ?? JSONObject())
    if let value = object["conflict"], !value.isNull {
      guard let conflict = Conflict(value) else { throw malformed("its conflict makes no sense") }
      self.conflict = conflict
    }
    isDeleteStated = object["delete"]?.bool ?? false
    for member in object.members where !Self.keys.contains(member.key) {
      unknown[member.key] = member.value
    }
  }

  private static let keys: Set<String> = [
    "version", "id", "updatedAt", "base", "refs", "server", "conflict", "delete",
  ]

  private static func mendingHint(_ file: String) -> String {
    "`git checkout -- \(file)` brings back an older one; without it, remove the file: the next sync"
      + " finds the record again by its content"
  }

  /// The file's bytes: canonical form, so that the same state is the same text everywhere.
  public var fileBytes: [UInt8] { JSONValue.object(json).fileBytes() }

  private var json: JSONObject {
    var object: JSONObject = [
      "id": .string(id), "updatedAt": .string(updatedAt), "base": .object(base.wire),
    ]
    if !refs.isEmpty { object["refs"] = .object(refs) }
    object["server"] = .object(server)
    if let conflict { object["conflict"] = conflict.json }
    if isDeleteStated { object["delete"] = true }
    for member in unknown.members { object[member.key] = member.value }
    return object
  }
}

extension Sidecar.Conflict {
  init?(_ value: JSONValue) {
    switch value["deleted"]?.string {
    case "server": self = .deletedOnServer
    case "here": self = .deletedHere
    case nil:
      guard let updatedAt = value["updatedAt"]?.string, let fields = value["fields"]?.object else {
        return nil
      }
      self = .fields(
        updatedAt: updatedAt,
        fields.members.map {
          Sidecar.FieldConflict(
            wireKey: $0.key, base: $0.value["base"] ?? .null, server: $0.value["server"] ?? .null)
        })
    default: return nil
    }
  }

  var json: JSONValue {
    switch self {
    case .deletedOnServer: return ["deleted": "server"]
    case .deletedHere: return ["deleted": "here"]
    case .fields(let updatedAt, let fields):
      let members = fields.map { field in
        (key: field.wireKey, value: ["base": field.base, "server": field.server] as JSONValue)
      }
      return ["updatedAt": .string(updatedAt), "fields": .object(JSONObject(members))]
    }
  }
}
