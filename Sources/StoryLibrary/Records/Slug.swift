/// File names for records that came from a server.
public enum Slug {
  /// The longest slug in bytes.
  public static let longest = 80

  /// A file name made of a title: lower case, Latin letters without their marks, `-` between words.
  ///
  /// Cyrillic and Greek are transliterated; letters of other scripts stay as they are. The result is
  /// never empty, `.`, `..` or the name of a device on Windows; `fallback` (a kind's noun) stands in
  /// where nothing is left. A composed and a decomposed title give the same name.
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

  /// `slug` made different from others: four characters of the id's digest behind it.
  ///
  /// The same id gives the same name on every machine; `attempt` counts from 0 and takes further
  /// characters where even that name is taken.
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

  /// What two names must not share: file systems that ignore case or Unicode form see one file.
  ///
  /// Strings compare by canonical equivalence already. Case is folded through capitals, which also
  /// brings `ς` and `σ`, `ß` and `ss` together, as some systems do.
  public static func collisionKey(_ name: String) -> String {
    // Most names are their own key, and then nothing is copied.
    let isPlain = name.utf8.allSatisfy {
      $0 < 0x80 && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
    }
    return isPlain ? name : name.uppercased().lowercased()
  }

  /// The names that Windows keeps for devices, whatever their extension (Microsoft, “Naming Files,
  /// Paths, and Namespaces”).
  private static let devices: Set<String> = Set(
    ["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })
}
