import Testing

/// One row of a table, with the name that a failure shows.
struct NamedCase<Value: Sendable>: Sendable, CustomTestStringConvertible {
  let name: String
  let value: Value

  init(_ name: String, _ value: Value) {
    self.name = name
    self.value = value
  }

  var testDescription: String { name }
}

extension [UInt8] {
  /// The bytes as text, so that a failed expectation can be read.
  var text: String { String(decoding: self, as: UTF8.self) }
}

extension String {
  var bytes: [UInt8] { Array(utf8) }
}
