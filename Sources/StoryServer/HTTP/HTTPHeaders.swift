/// A header field.
package struct HTTPHeader: Equatable, Sendable {
  var name: String
  var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// The header fields of a request, in order.
package struct HeaderFields: Sendable {
  /// The fields, with names in lowercase.
  private let fields: [HTTPHeader]

  init(_ fields: [HTTPHeader]) {
    self.fields = fields.map { HTTPHeader($0.name.lowercased(), $0.value) }
  }

  /// Returns the values of all fields with a name, which must be lowercase.
  package func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// The value of the first field with a name, which must be lowercase.
  package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  /// Returns the elements of a list-valued field (RFC 9110, section 5.6.1), in lowercase.
  func list(_ name: String) -> [String] {
    all(name).flatMap { value in
      value.utf8.split(separator: UInt8(ascii: ",")).map { element in
        String(decoding: element.trimmed, as: UTF8.self).lowercased()
      }
    }.filter { !$0.isEmpty }
  }
}

extension BidirectionalCollection<UInt8> {
  /// The bytes without leading and trailing spaces and tabs.
  var trimmed: SubSequence {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    guard let last = lastIndex(where: { !isBlank($0) }) else { return self[endIndex...] }
    return self[...last].drop(while: isBlank)
  }
}
