public import JSONText
public import StoryLibrary

/// The records in a JSON file of answers: of a list, of a single record, or several of them in one
/// object, in the form of `v0` or `v1`. A library's own record file is read as a single record.
///
/// ```json
/// { "data": { "heroes": [ … ], "pagination": { "total": 3, … } } }
/// { "heroes": [ … ], "stories": [ … ], "customEvents": [ … ] }
/// { "data": { "id": "…", "title": "…", "content": "…", "heroId": "…" }, "message": "…" }
/// ```
public struct AnswerFile: Sendable {
  /// A record. Members that a dialect names differently have their canonical names.
  public struct Record: Sendable {
    /// The kind.
    public var kind: EntityKind
    /// The fields that a person owns, by their names on the wire, without null and default values.
    /// A reference that is only stated by its key in a record file has that key.
    public var fields = JSONObject()
    /// The id, by which other records of the file may reference it.
    public var id: String?
    /// The creation time as the server wrote it, or an empty string.
    public var createdAt = ""
    /// The offset of the record in the file.
    public var offset: Int
    /// The offsets of its members' values, by their names.
    public var offsets: [String: Int] = [:]
  }

  /// A list that has only some of the server's records.
  public struct PartialList: Sendable, Hashable {
    /// The kind.
    public var kind: EntityKind
    /// The number of records in the file.
    public var count: Int
    /// The number of records on the server.
    public var total: Int
  }

  /// The records in the order of the file.
  public private(set) var records: [Record] = []
  /// The lists that are not complete.
  public private(set) var partialLists: [PartialList] = []
  /// The problems of values that are not records.
  public private(set) var problems: [Problem] = []

  /// The parsed file.
  public let document: JSONDocument

  private let file: String

  /// Parses a file.
  ///
  /// - Parameters:
  ///   - bytes: The file's bytes.
  ///   - file: Its path for messages.
  /// - Throws: `Problem` if this is not JSON.
  public init(parsing bytes: [UInt8], file: String) throws(Problem) {
    self.file = file
    document = try JSONDocument(parsing: bytes, file: file)
    collect(document.root, kind: nil)
  }

  private mutating func collect(_ node: JSONNode, kind: EntityKind?) {
    if node.kind == .array {
      for element in node.elements { collect(element, kind: kind) }
      return
    }
    if let kind = kind ?? Self.kind(of: node) { return take(node, kind) }
    guard node["deleted"]?.value.bool != true else { return }
    let lists = Self.kinds.compactMap { kind in
      node[kind.schema.listKey].map { (kind: kind, list: $0) }
    }
    for (kind, list) in lists {
      let total = node["pagination"]?["total"]?.value.integer ?? 0
      let count = list.elements.count
      if list.kind == .array, lists.count == 1, total > count {
        partialLists.append(PartialList(kind: kind, count: count, total: total))
      }
      collect(list, kind: kind)
    }
    if !lists.isEmpty { return }
    if let data = node["data"], node["id"] == nil { return collect(data, kind: nil) }
    problems.append(Problem(.noRecords, file: file, position: node.position))
  }

  private static let kinds: [EntityKind] = [.heroes, .events, .stories]

  /// Returns the kind of a record by the members that only this kind has, or `nil`.
  private static func kind(of node: JSONNode) -> EntityKind? {
    if node["promptSeed"] != nil { return .events }
    if node["age"] != nil || node["traits"] != nil { return .heroes }
    return node["heroId"] != nil || node["content"] != nil ? .stories : nil
  }

  private mutating func take(_ node: JSONNode, _ kind: EntityKind) {
    guard let object = node.value.object else {
      problems.append(Problem(.notAnObject(node.kind), file: file, position: node.position))
      return
    }
    if object["deleted"]?.bool == true { return }
    var record = Record(kind: kind, offset: node.range.lowerBound)
    for member in node.members { record.offsets[member.name] = member.value.range.lowerBound }
    if let abilities = record.offsets["specialAbilities"] {
      record.offsets["specialAbility"] = abilities
    }
    let canonical = Dialect.v1.inbound(object, kind: kind)
    record.id = canonical["id"]?.string
    record.createdAt = canonical["createdAt"]?.string ?? ""
    for field in kind.schema.fields {
      let key = (canonical[field.wireKey] ?? .null).isNull ? field.key : field.wireKey
      guard let value = canonical[key], !value.isNull, value != field.defaultValue else { continue }
      record.fields[key] = value
    }
    records.append(record)
  }
}
