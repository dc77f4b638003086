import JSONText

/// Writes a record as compact JSON: `id` first, `updatedAt` last.
struct RecordWriter {
  private var bytes: [UInt8] = []

  init(id: String) {
    bytes.reserveCapacity(512)
    bytes.append(text: "{\"id\":")
    bytes.append(jsonString: id)
  }

  /// Whether a member has its fixed place at an end.
  static func isFixed(_ name: String) -> Bool {
    name.utf8.elementsEqual("id".utf8) || name.utf8.elementsEqual("updatedAt".utf8)
  }

  /// Appends a member whose value is written anew.
  mutating func append(_ name: String, _ value: JSONValue) {
    append(name, raw: value.compactBytes)
  }

  /// Appends a member whose value is written already.
  mutating func append(_ name: String, raw: some Collection<UInt8>) {
    bytes.append(UInt8(ascii: ","))
    bytes.append(jsonString: name)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: raw)
  }

  /// Ends the record.
  consuming func finish(updatedAt: String) -> [UInt8] {
    append("updatedAt", .string(updatedAt))
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// The JSON of a tombstone.
  static func tombstone(id: String, at: Timestamp) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(text: "{\"id\":")
    bytes.append(jsonString: id)
    bytes.append(text: ",\"deleted\":true,\"updatedAt\":\"\(at.text)\"}")
    return bytes
  }

  /// The JSON that answers a delete.
  static func deletion(id: String) -> [UInt8] {
    var bytes = Array("{\"id\":".utf8)
    bytes.append(jsonString: id)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// A record that another server wrote, with its `id` and `updatedAt` at their places.
  ///
  /// - Throws: `JSONSyntaxError` where it is no JSON.
  /// - Returns: the record and its `heroId`; `nil` where it is no object.
  static func imported(
    _ json: [UInt8], id: String, updatedAt: String
  ) throws(JSONSyntaxError) -> (bytes: [UInt8], hero: RecordID?)? {
    let document = try JSONDocument(parsing: json)
    guard document.root.kind == .object else { return nil }
    // The log keeps one record a line: a text over several lines is written anew.
    let isOneLine = !json.contains { $0 < 0x20 }
    var writer = RecordWriter(id: id)
    for member in document.root.members where !isFixed(member.name) {
      if isOneLine {
        writer.append(member.name, raw: json[member.value.range])
      } else {
        writer.append(member.name, member.value.value)
      }
    }
    let hero = document.root["heroId"]?.string.map { RecordID($0) }
    return (writer.finish(updatedAt: updatedAt), hero)
  }
}
