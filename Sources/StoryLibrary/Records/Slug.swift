/// File names for records that came from a server.
public enum Slug {
  /// The maximum length of a slug in bytes.
  public static let longest = 80

  /// Returns a file name for a title: lowercase, no diacritics on Latin letters, `-` between words.
  ///
  /// Cyrillic and Greek are transliterated; letters of other scripts are kept. The result is never
  /// empty, `.`, `..` or the name of a Windows device; `fallback` (a kind's noun) is used if
  /// nothing is left. Composed and decomposed titles give the same name.
  public static func make(_ title: String, fallback: String) -> String {
    var slug = ""
    var needsDash = false
    for character in title {
      guard let letters = Transliteration.letters(of: character) else {
        needsDash = !slug.isEmpty
        continue
      }
      if letters.isEmpty { continue }
      let piece = (needsDash ? "-" : "") + letters
      guard slug.utf8.count + piece.utf8.count <= longest else { break }
      slug += piece
      needsDash = false
    }
    if slug.isEmpty { return fallback }
    return devices.contains(slug) ? slug + "-" + fallback : slug
  }

  /// Returns `slug` with four characters of the id's digest appended.
  ///
  /// The same id gives the same name on every machine. `attempt` counts from 0 and appends more
  /// characters in case that name is in use too.
  public static func distinguished(_ slug: String, id: String, attempt: Int = 0) -> String {
    let digest = ContentDigest(id.utf8).description
    var suffix = "-" + digest.prefix(4 * (min(attempt, 7) + 1))
    if attempt > 7 { suffix += "-\(attempt)" }
    var stem = slug
    while stem.utf8.count + suffix.utf8.count > longest || stem.utf8.last == UInt8(ascii: "-") {
      stem.unicodeScalars.removeLast()
    }
    return stem + suffix
  }

  /// Returns the key that distinct names must not share, because file systems that ignore case or
  /// Unicode form treat them as one file.
  ///
  /// Strings already compare by canonical equivalence. Case is folded through uppercase, which also
  /// unifies `ς` with `σ` and `ß` with `ss`, as some systems do.
  public static func collisionKey(_ name: String) -> String {
    // Most names are their own key and need no copy.
    let isPlain = name.utf8.allSatisfy {
      $0 < 0x80 && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
    }
    return isPlain ? name : name.uppercased().lowercased()
  }

  /// The names that Windows reserves for devices, with any extension (Microsoft, “Naming Files,
  /// Paths, and Namespaces”).
  private static let devices: Set<String> = Set(
    ["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })
}
