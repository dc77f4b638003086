import JSONText
import StoryLibrary

/// Conversions between Kinto's values and those of other dialects.
///
/// A record's revision in Kinto is `last_modified`, in whole milliseconds since 1970. Everywhere
/// else in the program it is the equivalent date, `2026-11-20T10:00:00.000Z`.
enum KintoForm {
  /// The last millisecond of the year 9999. Later times have no date in the usual form.
  private static let last = 253_402_300_799_999

  /// Returns the revision for a `last_modified`, or `nil` if it is malformed.
  static func revision(_ value: JSONValue?) -> String? { value?.integer.flatMap(revision) }

  /// Returns the revision for the `ETag` of a list, or `nil` if it is malformed.
  static func revision(tag: String) -> String? {
    guard tag.utf8.count > 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
    return Int(tag.dropFirst().dropLast()).flatMap(revision)
  }

  private static func revision(_ milliseconds: Int) -> String? {
    guard (0...last).contains(milliseconds) else { return nil }
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
    return ServerDate(seconds: Int64(seconds), nanoseconds: Int64(rest) * 1_000_000).text
  }

  /// Returns the milliseconds for a revision, or `nil` if Kinto cannot have given it.
  static func milliseconds(_ revision: String) -> Int? {
    guard let date = ServerDate(revision), date.seconds >= 0 else { return nil }
    return Int(date.seconds) * 1_000 + Int(date.nanoseconds) / 1_000_000
  }

  /// Returns a record's members under their canonical names: `last_modified` becomes `updatedAt`.
  /// Another client's own member `updatedAt` is dropped and stays on the server only.
  static func canonical(_ object: JSONObject) -> JSONObject {
    guard let revision = revision(object["last_modified"]) else { return object }
    var members = object.members.filter { $0.key != "last_modified" && $0.key != "updatedAt" }
      .map { (key: $0.key, value: $0.value) }
    members.append((key: "updatedAt", value: .string(revision)))
    return JSONObject(members)
  }

  /// Returns the id of the record made by a write with a key. It is always the same, so a repeated
  /// write does not make a second record. A key of 128 random bits becomes a UUID (RFC 9562,
  /// version 4).
  static func id(key: String) -> String {
    guard isRandom(key) else { return key }
    var digits = Array(key)
    digits[12] = "4"
    digits[16] = Array("89ab")[(digits[16].hexDigitValue ?? 0) & 3]
    for place in [20, 16, 12, 8] { digits.insert("-", at: place) }
    return String(digits)
  }

  /// Returns whether a key is random, so that a record with its id can only have been made with it.
  static func isRandom(_ key: String) -> Bool {
    key.utf8.count == 32 && key.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  /// Returns the `_token` of a `Next-Page` (Kinto's HTTP API, "Pagination"). The rest of that URL
  /// has the server's own name, which may not be reachable through a proxy.
  static func token(nextPage: String) -> String? {
    guard let mark = nextPage.firstIndex(of: "?") else { return nil }
    let items = nextPage[nextPage.index(after: mark)...].split(separator: "&")
    return items.first { $0.hasPrefix("_token=") }
      .flatMap { percentDecoded($0.utf8.dropFirst("_token=".utf8.count)) }
  }
}
