/// Exactly one segment of a URL's path, percent-encoded.
struct PathSegment: Sendable, Hashable {
  /// The longest id that is put into a URL, in bytes.
  static let maximumLength = 1_024

  /// What stands between two slashes.
  let encoded: String

  /// A segment that holds an id as it is.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that a path cannot hold as one segment: an
  ///   empty one, `.` and `..` (RFC 3986, section 5.2.4 removes them), and one of more than
  ///   ``maximumLength`` bytes.
  init(id: String) throws(APIError) {
    guard !id.isEmpty, id != ".", id != "..", id.utf8.count <= Self.maximumLength else {
      throw .invalidIdentifier(ServerText.shown(id, limit: 80))
    }
    encoded = percentEncoded(id)
  }
}

/// The text with every byte but the unreserved ones of RFC 3986, section 2.3 written as `%XX`.
func percentEncoded(_ text: String) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var bytes: [UInt8] = []
  for byte in text.utf8 {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
    default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}
