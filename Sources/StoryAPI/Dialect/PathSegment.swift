import StoryLibrary

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
