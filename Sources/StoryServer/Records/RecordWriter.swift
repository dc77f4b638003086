import JSONText

/// Writes a record as compact JSON, with `id` first and `updatedAt` last.
struct RecordWriter {
  private var bytes: [UInt8] = []

  private init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// - Parameter size: The approximate size of the record in bytes.
  init(id: String, size: Int) {
    bytes.reserveCapacity(size)
    bytes += "{\"id\":".utf8
    bytes += JSONValue.string(id).compactBytes
  }

  /// Returns whether a member is `id` or `updatedAt`, which have fixed positions.
  static func isFixed(_ member: JSONNode.Member) -> Bool {
    member.name == "id" || member.name == "updatedAt"
  }

  /// Returns the text between the previous value and a member's value.
  static func label(_ name: String) -> [UInt8] {
    Array(",".utf8) + JSONValue.string(name).compactBytes + Array(":".utf8)
  }

  /// Appends a member with an encoded label and value.
  mutating func append(_ label: [UInt8], _ value: ArraySlice<UInt8>) {
    bytes.append(contentsOf: label)
    bytes.append(contentsOf: value)
  }

  /// Appends a member of another record, whose text must not have line breaks.
  mutating func append(_ member: JSONNode.Member) {
    let bytes = member.key.document.bytes
    self.bytes.append(UInt8(ascii: ","))
    self.bytes.append(
      contentsOf: bytes[member.key.range.lowerBound..<member.value.range.upperBound])
  }

  mutating func append(_ name: String, text: String) {
    append(Self.label(name), JSONValue.string(text).compactBytes[...])
  }

  /// Ends the record.
  consuming func finish(updatedAt: String) -> [UInt8] {
    append("updatedAt", text: updatedAt)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// Returns a record with changed values.
  ///
  /// All other members, including unknown ones, stay byte for byte.
  ///
  /// - Returns: `nil` if nothing would change.
  static func changing(
    _ current: JSONDocument, _ values: [RecordValue], updatedAt: String
  ) -> [UInt8]? {
    var isChanged = false
    var record = RecordWriter(
      id: current.root["id"]?.string ?? "", size: current.bytes.count + 512)
    var written = Array(repeating: false, count: values.count)
    for member in current.root.members where !isFixed(member) {
      let name = member.name
      guard let index = values.firstIndex(where: { $0.field.name == name }) else {
        record.append(member)
        continue
      }
      written[index] = true
      if values[index].field.isExtra, values[index].value.isNull {
        isChanged = true
        continue
      }
      if values[index].value.isSame(as: current.bytes[member.value.range]) {
        record.append(member)
      } else {
        isChanged = true
        record.append(values[index].field.label, values[index].value.json)
      }
    }
    // An imported record may lack a member, which is the same as null.
    for (index, (field, value)) in values.enumerated() where !written[index] {
      if field.isExtra, value.isNull { continue }
      record.append(field.label, value.json)
      if !value.isNull { isChanged = true }
    }
    return isChanged ? record.finish(updatedAt: updatedAt) : nil
  }

  /// Returns a record with an additional last member.
  static func adding(_ name: String, _ json: [UInt8], to record: [UInt8]) -> [UInt8] {
    var writer = RecordWriter(bytes: record.dropLast())
    writer.append(label(name), json[...])
    writer.bytes.append(UInt8(ascii: "}"))
    return writer.bytes
  }

  static func tombstone(id: String, at: Timestamp) -> [UInt8] {
    let tombstone: JSONPart = [
      "id": .text(id), "deleted": true, "updatedAt": .text(at.version),
    ]
    return tombstone.bytes
  }

  /// Returns the JSON of the answer to a delete.
  static func deletion(id: String) -> [UInt8] {
    (["id": .text(id)] as JSONPart).bytes
  }

  /// Rewrites a record from another server, with `id` and `updatedAt` in their positions.
  ///
  /// - Returns: The record, its owner, and whether its illustrations are unfinished, or `nil` if it
  ///   is not an object.
  /// - Throws: `JSONSyntaxError` if `json` is not JSON.
  static func imported(
    _ json: [UInt8], of kind: RecordKind, id: String, updatedAt: String
  ) throws(JSONSyntaxError) -> (bytes: [UInt8], owner: RecordID?, awaitsPictures: Bool)? {
    let document = try JSONDocument(parsing: json)
    guard document.root.kind == .object else { return nil }
    // The log has one record per line, so a record that spans several lines is rewritten.
    let isOneLine = !json.contains { $0 < 0x20 }
    var writer = RecordWriter(id: id, size: json.count + 64)
    for member in document.root.members where !isFixed(member) {
      if isOneLine {
        writer.append(member)
      } else {
        writer.append(label(member.name), member.value.value.compactBytes[...])
      }
    }
    let owner = kind.ownerField.flatMap { document.root[$0]?.string }.map { RecordID($0) }
    let status = kind == .stories ? document.root["illustrationStatus"]?.string : nil
    return (
      writer.finish(updatedAt: updatedAt), owner, status == "pending" || status == "processing"
    )
  }
}
