import JSONText

extension Sidecar {
  /// Parses a sidecar.
  ///
  /// - Parameters:
  ///   - bytes: The file's contents.
  ///   - ref: Its record.
  /// - Throws: `Problem` if the text is not JSON, has conflict markers, lacks a member or has one
  ///   of the wrong type, or if its version is newer than this program's.
  public init(bytes: [UInt8], ref: RecordRef) throws(Problem) {
    let document: JSONDocument
    do throws(Problem) {
      document = try JSONDocument(parsing: bytes, file: ref.sidecarPath)
    } catch {
      var problem = error
      switch problem.what {
      case .syntax(let error, _): problem.what = .sidecarNotJSON(error)
      case .empty: problem.what = .sidecarNotJSON(nil)
      default: break
      }
      throw problem
    }
    self = try SidecarReader(root: document.root, ref: ref).read()
  }

  /// The file's contents in canonical form, so that equal states have equal text everywhere.
  public var fileBytes: [UInt8] { JSONValue.object(json).fileBytes() }

  private var json: JSONObject {
    var object: JSONObject = [
      "id": .string(id), "updatedAt": .string(updatedAt), "base": .object(base.wire),
    ]
    if !refs.isEmpty { object["refs"] = .object(refs) }
    object["server"] = .object(server)
    if let conflict {
      var json = conflict.json
      if !serverChanges.isEmpty { json["fields"] = Conflict.json(serverChanges) }
      object["conflict"] = .object(json)
    }
    if isDeleteStated { object["delete"] = true }
    for member in unknown.members { object[member.key] = member.value }
    return object
  }
}

extension Sidecar.Conflict {
  fileprivate var json: JSONObject {
    switch self {
    case .deletedOnServer: return ["deleted": "server"]
    case .deletedLocally: return ["deleted": "here"]
    case .fields(let updatedAt, let fields):
      return ["updatedAt": .string(updatedAt), "fields": Self.json(fields)]
    }
  }

  fileprivate static func json(_ fields: [Sidecar.FieldConflict]) -> JSONValue {
    let members = fields.map { field in
      (key: field.wireKey, value: ["base": field.base, "server": field.server] as JSONValue)
    }
    return .object(JSONObject(members))
  }
}
