public import JSONText

/// A record file, with the bytes that the user wrote.
public struct RecordFile: Sendable {
  /// The record's name.
  public let ref: RecordRef
  /// The original text.
  public let document: JSONDocument

  /// Parses a record file.
  ///
  /// - Throws: `Problem` if the text is empty, has conflict markers, or is not a JSON object.
  public init(ref: RecordRef, bytes: [UInt8]) throws(Problem) {
    document = try JSONDocument(parsing: bytes, file: ref.path)
    guard document.root.kind == .object else {
      throw Problem(
        .notAnObject(document.root.kind), file: ref.path, position: document.root.position)
    }
    self.ref = ref
  }

  /// The record in canonical form: two spaces, schema order followed by unknown members, LF, one
  /// final newline, short arrays of scalars on one line, long text with one element per line.
  ///
  /// Values are preserved: number literals are kept, and a long text in one string stays one
  /// string. Formatting the result again does not change it.
  public var canonicalBytes: [UInt8] {
    let schema = ref.kind.schema
    return document.formatted(order: schema.memberOrder, brokenArrays: schema.brokenArrays)
  }
}
