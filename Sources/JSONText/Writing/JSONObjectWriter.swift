/// Writes one object on one line, member by member, into a buffer.
///
/// Nothing is held but the text, so that large values need no second copy. The caller vouches that the
/// names differ.
public struct JSONObjectWriter {
  private var writer = JSONWriter()

  /// Begins an object.
  ///
  /// - Parameter size: The expected size of its text in bytes, for which memory is reserved.
  public init(reserving size: Int = 0) {
    writer.reserve(size)
    writer.append(UInt8(ascii: "{"))
  }

  /// Appends a member.
  public mutating func append(_ name: String, _ value: JSONValue) {
    writer.beginMember(name)
    writer.write(value, inline: .compact)
  }

  /// Appends a member whose value is already text: one JSON value, which the caller vouches for. Its
  /// bytes are kept.
  public mutating func append(_ name: String, written value: ArraySlice<UInt8>) {
    writer.beginMember(name)
    writer.append(value)
  }

  /// Appends a member of a document byte for byte, with its layout.
  public mutating func append(_ member: JSONNode.Member) {
    writer.separateMember()
    writer.append(member.key.document.bytes[member.range])
  }

  /// Ends the object and returns its text.
  public consuming func finish() -> [UInt8] {
    writer.append(UInt8(ascii: "}"))
    return writer.bytes
  }
}
