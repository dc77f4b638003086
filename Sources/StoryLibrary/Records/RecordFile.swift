public import JSONText

/// A record as it stands in its file, with the bytes that a person wrote.
public struct RecordFile: Sendable {
  /// The record's name.
  public let ref: RecordRef
  /// The file's text.
  public let document: JSONDocument

  /// Reads a record's text.
  ///
  /// - Throws: `Problem` where the text is empty, has conflict markers, is not JSON or no object.
  public init(ref: RecordRef, bytes: [UInt8]) throws(Problem) {
    do throws(JSONSyntaxError) {
      document = try JSONDocument(parsing: bytes)
    } catch {
      throw Problem(error, file: ref.path, bytes: bytes)
    }
    guard document.root.kind == .object else {
      throw Problem(
        .notAnObject, file: ref.path, position: document.root.position,
        message: "a record is an object, but this is \(document.root.value.kindInWords)")
    }
    self.ref = ref
  }

  /// The record's text in canonical form: two spaces, schema order with unknown members behind it,
  /// LF, one final newline, short arrays of scalars on one line, long text with a line for each of
  /// its lines.
  ///
  /// The values stay as they are: number literals are kept, and a long text that is one string stays
  /// one. The canonical form of the result is the result.
  public var canonicalBytes: [UInt8] {
    let schema = ref.kind.schema
    return document.formatted(order: schema.keyOrder, brokenArrays: schema.brokenArrays)
  }
}
