/// A header field.
struct HTTPHeader: Equatable, Sendable {
  var name: String
  var value: String

  init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// The header fields of a request, stored as the bytes received.
struct HTTPHeaders: Sendable {
  private let bytes: [UInt8]
  private var fields: [(name: Range<Int>, value: Range<Int>)] = []

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Creates fields from text, for a request that did not come over a socket.
  init(_ headers: [HTTPHeader]) {
    var bytes: [UInt8] = []
    var fields: [(name: Range<Int>, value: Range<Int>)] = []
    for header in headers {
      let start = bytes.count
      bytes += header.name.utf8
      let middle = bytes.count
      bytes += header.value.utf8
      fields.append((start..<middle, middle..<bytes.count))
    }
    self.bytes = bytes
    self.fields = fields
  }

  mutating func append(name: Range<Int>, value: Range<Int>) { fields.append((name, value)) }

  /// Returns the values of all fields with a name, which must be lowercase.
  func all(_ name: String) -> [String] {
    fields.lazy.filter { matches($0.name, name) }
      .map { String(decoding: bytes[$0.value], as: UTF8.self) }
  }

  /// The value of the first field with a name, which must be lowercase.
  subscript(name: String) -> String? {
    for field in fields where matches(field.name, name) {
      return String(decoding: bytes[field.value], as: UTF8.self)
    }
    return nil
  }

  /// Returns the elements of a list-valued field (RFC 9110, section 5.6.1), in lowercase.
  func list(_ name: String) -> [String] {
    all(name).flatMap { value in
      value.utf8.split(separator: UInt8(ascii: ",")).map { element in
        String(decoding: HTTPHeaders.trimmed(element), as: UTF8.self).lowercased()
      }
    }.filter { !$0.isEmpty }
  }

  private func matches(_ range: Range<Int>, _ name: String) -> Bool {
    range.count == name.utf8.count
      && zip(bytes[range], name.utf8).allSatisfy { byte, expected in
        byte == expected || (byte | 0x20 == expected && (0x41...0x5A).contains(byte))
      }
  }

  /// Returns bytes without leading and trailing spaces and tabs.
  static func trimmed(_ bytes: Substring.UTF8View.SubSequence) -> Substring.UTF8View.SubSequence {
    var bytes = bytes
    while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    return bytes
  }
}
