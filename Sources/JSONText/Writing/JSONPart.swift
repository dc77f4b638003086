/// A JSON text that is put together from values and from texts that are already written.
///
/// The written texts are not parsed and keep their bytes.
package indirect enum JSONPart: Sendable {
  /// A value, written on one line.
  case value(JSONValue)
  /// One JSON value on one line, which the caller vouches for.
  case written([UInt8])
  /// The elements of an array.
  case array([JSONPart])
  /// The members of an object, in order. The caller vouches that the names differ.
  case object([(name: String, part: JSONPart)])

  /// A string, or `null`.
  package static func text(_ text: String?) -> JSONPart {
    .value(text.map { .string($0) } ?? .null)
  }

  /// A whole number.
  package static func number(_ number: some BinaryInteger) -> JSONPart {
    .written(Array(String(number).utf8))
  }

  /// The text on one line without spaces.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.reserve(size)
    write(to: &writer)
    return writer.bytes
  }

  /// About how many bytes the text takes; exact only for written texts.
  private var size: Int {
    switch self {
    case .value: 40
    case .written(let bytes): bytes.count
    case .array(let parts): parts.reduce(2) { $0 + $1.size + 1 }
    case .object(let members): members.reduce(2) { $0 + $1.name.utf8.count + $1.part.size + 4 }
    }
  }

  private func write(to writer: inout JSONWriter) {
    switch self {
    case .value(let value): writer.write(value, inline: .compact)
    case .written(let bytes): writer.append(bytes)
    case .array(let parts):
      writer.append(UInt8(ascii: "["))
      for (place, part) in parts.enumerated() {
        if place > 0 { writer.append(UInt8(ascii: ",")) }
        part.write(to: &writer)
      }
      writer.append(UInt8(ascii: "]"))
    case .object(let members):
      writer.append(UInt8(ascii: "{"))
      for member in members {
        writer.beginMember(member.name)
        member.part.write(to: &writer)
      }
      writer.append(UInt8(ascii: "}"))
    }
  }
}

extension JSONPart: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral,
  ExpressibleByBooleanLiteral
{
  package init(dictionaryLiteral members: (String, JSONPart)...) {
    self = .object(members.map { (name: $0.0, part: $0.1) })
  }

  package init(stringLiteral text: String) { self = .value(.string(text)) }

  package init(booleanLiteral flag: Bool) { self = .value(.bool(flag)) }
}
