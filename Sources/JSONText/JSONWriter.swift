/// How a value is laid out when it is written anew.
public struct JSONLayout: Sendable, Equatable {
  /// One level of indentation.
  public var indent: String
  /// The end of a line.
  public var lineEnd: String
  /// What stands between a member's name and its value, the colon included.
  public var colon: String
  /// The longest line, in characters, on which an array of scalars stays whole.
  public var lineWidth: Int
  /// Members whose arrays always take a line for each element (long text as lines).
  public var brokenArrays: Set<String>

  /// The canonical layout: two spaces, LF, `": "`, arrays of scalars whole up to 80 characters.
  public init(
    indent: String = "  ", lineEnd: String = "\n", colon: String = ": ", lineWidth: Int = 80,
    brokenArrays: Set<String> = []
  ) {
    self.indent = indent
    self.lineEnd = lineEnd
    self.colon = colon
    self.lineWidth = lineWidth
    self.brokenArrays = brokenArrays
  }
}

extension JSONValue {
  /// The value on one line without any space, as it goes over the wire.
  public var compactBytes: [UInt8] {
    var writer = JSONWriter()
    writer.writeCompact(self)
    return writer.bytes
  }

  /// ``compactBytes`` as a string.
  public var compactText: String { String(decoding: compactBytes, as: UTF8.self) }

  /// The value as a whole file: laid out over lines, with one line end after it.
  public func fileBytes(layout: JSONLayout = JSONLayout()) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(self, layout: layout, depth: 0, column: 0, isBroken: false)
    writer.append(layout.lineEnd)
    return writer.bytes
  }
}

/// Appends values to a text. Recursion is as deep as the value nests.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func writeCompact(_ value: JSONValue) {
    switch value {
    case .null: append("null")
    case .bool(let bool): append(bool ? "true" : "false")
    case .number(let number): append(number.literal)
    case .string(let string): writeString(string)
    case .array(let elements):
      append("[")
      for (place, element) in elements.enumerated() {
        if place > 0 { append(",") }
        writeCompact(element)
      }
      append("]")
    case .object(let object):
      append("{")
      for (place, member) in object.members.enumerated() {
        if place > 0 { append(",") }
        writeString(member.key)
        append(":")
        writeCompact(member.value)
      }
      append("}")
    }
  }

  /// Writes a value that starts in `column` of a line which is indented `depth` levels.
  ///
  /// With `isBroken` an array takes a line for each element, however short it is.
  mutating func write(
    _ value: JSONValue, layout: JSONLayout, depth: Int, column: Int, isBroken: Bool
  ) {
    switch value {
    case .array(let elements) where !elements.isEmpty:
      if !isBroken, let line = Self.oneLine(elements, room: layout.lineWidth - column) {
        append(line)
        return
      }
      append("[")
      for (place, element) in elements.enumerated() {
        if place > 0 { append(",") }
        breakLine(layout, depth: depth + 1)
        let column = layout.indent.count * (depth + 1)
        write(element, layout: layout, depth: depth + 1, column: column, isBroken: false)
      }
      breakLine(layout, depth: depth)
      append("]")
    case .object(let object) where !object.isEmpty:
      append("{")
      for (place, member) in object.members.enumerated() {
        if place > 0 { append(",") }
        breakLine(layout, depth: depth + 1)
        let start = bytes.count
        writeString(member.key)
        append(layout.colon)
        let written = String(decoding: bytes[start...], as: UTF8.self)
        let column = layout.indent.count * (depth + 1) + written.count
        write(
          member.value, layout: layout, depth: depth + 1, column: column,
          isBroken: layout.brokenArrays.contains(member.key))
      }
      breakLine(layout, depth: depth)
      append("}")
    default: writeCompact(value)
    }
  }

  private mutating func breakLine(_ layout: JSONLayout, depth: Int) {
    append(layout.lineEnd)
    for _ in 0..<depth { append(layout.indent) }
  }

  /// An array of scalars on one line, `nil` where it does not fit or contains something else.
  private static func oneLine(_ elements: [JSONValue], room: Int) -> String? {
    var line = "["
    for (place, element) in elements.enumerated() {
      switch element {
      case .array, .object: return nil
      default: line += (place > 0 ? ", " : "") + element.compactText
      }
      // One more for the comma that may follow the array.
      if line.utf8.count > 4 * room { return nil }
    }
    line += "]"
    return line.count < room ? line : nil
  }

  /// Writes a string with the escapes that RFC 8259 section 7 requires and no others.
  mutating func writeString(_ string: String) {
    bytes.append(UInt8(ascii: "\""))
    var copy = string
    copy.withUTF8 { text in
      var plain = 0
      for (offset, byte) in text.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
        bytes.append(contentsOf: text[plain..<offset])
        plain = offset + 1
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x22, 0x5C: bytes.append(byte)
        default:
          let digits = Array("0123456789abcdef".utf8)
          bytes.append(contentsOf: "u00".utf8)
          bytes.append(digits[Int(byte >> 4)])
          bytes.append(digits[Int(byte & 15)])
        }
      }
      bytes.append(contentsOf: text[plain...])
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
