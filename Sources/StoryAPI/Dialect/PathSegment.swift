/// A single percent-encoded segment of a URL's path.
struct PathSegment: Sendable, Hashable {
  /// The maximum length of an id in a URL, in bytes.
  static let maximumLength = 1_024

  /// The encoded text, without slashes.
  let encoded: String

  /// Encodes an id as a segment.
  ///
  /// - Throws: `APIError.invalidIdentifier` for an id that cannot be one segment of a path: an
  ///   empty one, `.` and `..` (RFC 3986, section 5.2.4 removes them), or one of more than
  ///   ``maximumLength`` bytes.
  init(id: String) throws(APIError) {
    guard !id.isEmpty, id != ".", id != "..", id.utf8.count <= Self.maximumLength else {
      throw .invalidIdentifier(ServerText.shown(id, limit: 80))
    }
    encoded = percentEncoded(id)
  }
}

/// Returns a text with every byte except the unreserved ones (RFC 3986, section 2.3) written as
/// `%XX`.
package func percentEncoded(_ text: String) -> String {
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
