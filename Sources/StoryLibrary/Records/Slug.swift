/// File names for records that came from a server.
public enum Slug {
  /// The longest slug in bytes.
  public static let longest = 80

  /// A file name made of a title: lower case, Latin letters without their marks, `-` between words.
  ///
  /// Letters of other scripts stay as they are. The result is never empty, `.`, `..` or the name of
  /// a device on Windows; `fallback` (a kind's noun) stands in where nothing is left.
  public static func make(_ title: String, fallback: String) -> String {
    var slug = ""
    var needsDash = false
    for scalar in title.unicodeScalars {
      for letter in letters(of: scalar) {
        guard let letter else {
          needsDash = !slug.isEmpty
          continue
        }
        let piece = (needsDash ? "-" : "") + letter
        guard slug.utf8.count + piece.utf8.count <= longest else { return finish(slug, fallback) }
        slug += piece
        needsDash = false
      }
    }
    return finish(slug, fallback)
  }

  private static func finish(_ slug: String, _ fallback: String) -> String {
    if slug.isEmpty { return fallback }
    return devices.contains(slug) ? slug + "-" + fallback : slug
  }

  /// `slug` made different from others: four characters of the id's digest behind it.
  ///
  /// The same id gives the same name on every machine; `attempt` counts from 0 and takes further
  /// characters where even that name is taken.
  public static func distinguished(_ slug: String, id: String, attempt: Int = 0) -> String {
    let digest = ContentDigest(id.utf8).description
    let suffix = "-" + digest.prefix(4 + 4 * min(attempt, 7))
    var stem = slug
    while stem.utf8.count + suffix.utf8.count > longest { stem.unicodeScalars.removeLast() }
    return stem + suffix
  }

  /// What two names must not share: file systems that ignore case or Unicode form see one file.
  public static func collisionKey(_ name: String) -> String { name.lowercased() }

  private static let devices: Set<String> = Set(
    ["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })

  /// The letters that stand for a scalar in a file name; a `nil` is a break between words.
  private static func letters(of scalar: Unicode.Scalar) -> [String?] {
    switch scalar.value {
    case 0x30...0x39, 0x61...0x7A: return [String(scalar)]
    case 0x41...0x5A: return [String(scalar).lowercased()]
    case 0x27, 0x2019, 0x02BC: return []  // apostrophes join
    case 0..<0x80: return [nil]
    default: break
    }
    if let latin = transliterated[scalar] { return latin.map { String($0) } }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark:
      return scalar.value < 0x0370 ? [] : [String(scalar)]  // combining accents of Latin letters
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter,
      .decimalNumber, .letterNumber, .spacingMark:
      return [scalar.properties.lowercaseMapping]
    default: return [nil]
    }
  }

  /// Latin letters with marks, and ligatures, as plain letters.
  private static let transliterated: [Unicode.Scalar: String] = {
    let table: [(String, String)] = [
      ("àáâãåāăąǎ", "a"), ("ä", "ae"), ("æ", "ae"), ("çćĉċč", "c"), ("ďđð", "d"),
      ("èéêëēĕėęě", "e"), ("ĝğġģ", "g"), ("ĥħ", "h"), ("ìíîïĩīĭįıǐ", "i"), ("ĵ", "j"), ("ķ", "k"),
      ("ĺļľŀł", "l"), ("ñńņňŋ", "n"), ("òóôõōŏőǒ", "o"), ("öø", "oe"), ("œ", "oe"), ("ŕŗř", "r"),
      ("śŝşšș", "s"), ("ß", "ss"), ("ţťŧț", "t"), ("þ", "th"), ("ùúûũūŭůűųǔ", "u"), ("ü", "ue"),
      ("ŵ", "w"), ("ýÿŷ", "y"), ("źżž", "z"),
    ]
    var map: [Unicode.Scalar: String] = [:]
    for (letters, plain) in table {
      for scalar in letters.unicodeScalars {
        map[scalar] = plain
        for upper in scalar.properties.uppercaseMapping.unicodeScalars where upper.value > 0x7F {
          map[upper] = plain
        }
      }
    }
    map["\u{1E9E}"] = "ss"
    return map
  }()
}
