import JSONText

/// Entity tags (RFC 9110, section 8.8.3) for the versions of records: `updatedAt` in quotes.
enum EntityTag {
  /// Returns a record's version, which is its `updatedAt`, verbatim.
  static func version(of record: [UInt8]) -> String? {
    (try? JSONDocument(parsing: record))?.root["updatedAt"]?.string
  }

  static func field(_ version: String) -> String { "\"\(version)\"" }

  /// The value of `If-Match`, `If-None-Match` or a batch's `ifMatch`.
  enum Condition: Equatable, Sendable {
    case any
    case oneOf([String])

    /// Parses a field value. Versions may lack their quotes.
    ///
    /// - Parameter isWeak: Whether weak tags count. `If-Match` compares strongly, `If-None-Match`
    ///   weakly (section 8.8.3.2).
    init(_ text: String, isWeak acceptsWeak: Bool = false) {
      var rest = Array(text.utf8)[...]
      var versions: [String] = []
      func skipSpace() {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == 0x09 || $0 == UInt8(ascii: ",") }
      }
      skipSpace()
      if rest.elementsEqual("*".utf8) {
        self = .any
        return
      }
      while !rest.isEmpty {
        let isWeak = rest.starts(with: "W/".utf8)
        if isWeak { rest = rest.dropFirst(2) }
        let isQuoted = rest.first == UInt8(ascii: "\"")
        if isQuoted { rest = rest.dropFirst() }
        let ends = Array(isQuoted ? "\"".utf8 : ", ".utf8)
        let tag = rest.prefix { !ends.contains($0) }
        rest = rest.dropFirst(tag.count + (isQuoted ? 1 : 0))
        if acceptsWeak || !isWeak { versions.append(String(decoding: tag, as: UTF8.self)) }
        skipSpace()
      }
      self = .oneOf(versions)
    }

    func matches(_ version: String) -> Bool {
      switch self {
      case .any: true
      case .oneOf(let versions): versions.contains { $0.utf8.elementsEqual(version.utf8) }
      }
    }
  }
}
