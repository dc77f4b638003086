enum Transliteration {
  /// Returns the letters, digits and marks for a character in a file name: `nil` if it separates
  /// words, none if it joins them.
  static func letters(of character: Character) -> String? {
    if joining.contains(character) { return "" }
    if let known = table[character] { return known }
    var letters = ""
    var isIgnorable = true
    for scalar in character.unicodeScalars {
      if scalar.properties.isDefaultIgnorableCodePoint { continue }
      isIgnorable = false
      letters += plain(scalar, after: letters.unicodeScalars.last)
    }
    // Soft hyphens and joiners are invisible. Anything else without a letter separates words.
    return letters.isEmpty && !isIgnorable ? nil : letters
  }

  private static func plain(_ scalar: Unicode.Scalar, after last: Unicode.Scalar?) -> String {
    switch scalar.value {
    case 0x30...0x39, 0x61...0x7A: return String(scalar)
    case 0x41...0x5A: return String(scalar).lowercased()
    case 0..<0x80: return ""
    default: break
    }
    if let known = table[Character(scalar)] { return known }
    if let latin = latinLetters(scalar) { return latin }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter,
      .decimalNumber, .letterNumber:
      return scalar.properties.lowercaseMapping
    case .nonspacingMark, .spacingMark:
      // Vowel signs belong to the letters of their script; accents on Latin letters are dropped.
      guard let last, last.value >= 0x0370, scalar.value >= 0x0370 else { return "" }
      return String(scalar)
    default: return ""
    }
  }

  /// Returns the plain letters of a Latin letter with diacritics, from its Unicode name, which
  /// never changes (Unicode Character Encoding Stability Policies): `LATIN SMALL LETTER E WITH
  /// ACUTE` is an e.
  static func latinLetters(_ scalar: Unicode.Scalar) -> String? {
    guard let name = scalar.properties.name else { return nil }
    var words = name.split(separator: " ")[...]
    if words.first == "FULLWIDTH" { words = words.dropFirst() }
    guard words.count >= 4, words.removeFirst() == "LATIN",
      ["SMALL", "CAPITAL"].contains(words.removeFirst()),
      ["LETTER", "LIGATURE"].contains(words.removeFirst())
    else { return nil }
    let letters = words.removeFirst()
    guard letters.utf8.count <= 3, words.isEmpty || words.first == "WITH" else { return nil }
    // `LETTER ENG`, `LETTER ETH` and similar ones are letters of their own.
    guard letters.utf8.count == 1 || letters.utf8.count == 2 || name.contains("LIGATURE") else {
      return nil
    }
    return letters.lowercased()
  }

  /// Apostrophes, so that “Luna’s” is one word.
  private static let joining: Set<Character> = ["'", "\u{2019}", "\u{02BC}"]

  private static let table: [Character: String] = {
    var table: [Character: String] = [:]
    for (characters, plain) in latin + cyrillic + greek {
      for character in characters {
        table[character] = plain
        let upper = String(character).uppercased()
        if upper.count == 1, let capital = upper.first, !capital.isASCII { table[capital] = plain }
      }
    }
    return table
  }()

  /// Letters whose plain form differs from their name.
  private static let latin: [(String, String)] = [
    ("äæ", "ae"), ("öøœ", "oe"), ("ü", "ue"), ("ßẞ", "ss"), ("ð", "d"), ("þ", "th"), ("ŋŉ", "n"),
    ("ı", "i"), ("ĸ", "k"), ("ſ", "s"), ("ª", "a"), ("º", "o"),
  ]

  private static let cyrillic: [(String, String)] = [
    ("а", "a"), ("б", "b"), ("в", "v"), ("гґѓ", "g"), ("д", "d"), ("еёэ", "e"), ("ж", "zh"),
    ("з", "z"), ("иіѝ", "i"), ("йы", "y"), ("кќ", "k"), ("л", "l"), ("м", "m"), ("н", "n"),
    ("о", "o"), ("п", "p"), ("р", "r"), ("с", "s"), ("т", "t"), ("уў", "u"), ("ф", "f"),
    ("х", "kh"), ("ц", "ts"), ("чћ", "ch"), ("ш", "sh"), ("щ", "shch"), ("ъь", ""), ("ю", "yu"),
    ("я", "ya"), ("є", "ye"), ("ї", "yi"), ("ј", "j"), ("љ", "lj"), ("њ", "nj"), ("ђ", "dj"),
    ("џѕ", "dz"),
  ]

  private static let greek: [(String, String)] = [
    ("αά", "a"), ("β", "v"), ("γ", "g"), ("δ", "d"), ("εέ", "e"), ("ζ", "z"), ("ηήιίϊΐ", "i"),
    ("θ", "th"), ("κ", "k"), ("λ", "l"), ("μ", "m"), ("ν", "n"), ("ξ", "x"), ("οόωώ", "o"),
    ("π", "p"), ("ρ", "r"), ("σς", "s"), ("τ", "t"), ("υύϋΰ", "y"), ("φ", "f"), ("χ", "ch"),
    ("ψ", "ps"),
  ]
}
