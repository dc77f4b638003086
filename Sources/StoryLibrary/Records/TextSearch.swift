/// A search for words in texts, regardless of case, accents and Unicode normal form.
///
/// A term is a word or, if it has several, a phrase: its words in a row, whatever is between them.
/// Only whole words match: `snow` does not match “snowy”, but it does match “Snow’s”. In scripts
/// without spaces between words, every character is a word.
public struct TextSearch: Sendable {
  /// The hashes of each term's words. At 64 bits, two words with the same hash are not expected.
  private let terms: [[UInt64]]
  private let lastWords: [UInt64]
  private let longestTerm: Int

  /// Creates a search for terms, each a word or a phrase. Terms without letters or digits are left
  /// out.
  public init(terms: [String]) {
    var hashes: [[UInt64]] = []
    for var term in terms {
      var words: [UInt64] = []
      term.withUTF8 { text in Words.forEach(in: text) { _, hash in words.append(hash) } }
      if !words.isEmpty, !hashes.contains(words) { hashes.append(words) }
    }
    self.terms = hashes
    lastWords = hashes.map { $0[$0.count - 1] }
    longestTerm = hashes.map(\.count).max() ?? 0
  }

  /// Creates a search from typed text: words, and phrases in straight or curly double quotes.
  public init(query: String) {
    var terms: [String] = []
    for (place, part) in query.split(
      omittingEmptySubsequences: false,
      whereSeparator: {
        "\"“”„«»".contains($0)
      }
    ).enumerated() {
      if place % 2 == 1 {
        terms.append(String(part))
      } else {
        terms += part.split(whereSeparator: \.isWhitespace).map(String.init)
      }
    }
    self.init(terms: terms)
  }

  /// Whether there is nothing to search for. Such a search finds nothing.
  public var isEmpty: Bool { terms.isEmpty }

  /// A line with matches.
  public struct Line: Sendable, Equatable {
    /// The line's index in the searched lines.
    public var index: Int
    /// The text of the line.
    public var text: String
    /// The matches in order, without overlaps.
    public var matches: [Range<String.Index>]

    /// The line in alternating parts, for highlighting.
    public var parts: [(text: Substring, isMatch: Bool)] {
      var parts: [(text: Substring, isMatch: Bool)] = []
      var end = text.startIndex
      for match in matches {
        if end < match.lowerBound { parts.append((text[end..<match.lowerBound], false)) }
        parts.append((text[match], true))
        end = match.upperBound
      }
      if end < text.endIndex { parts.append((text[end...], false)) }
      return parts
    }
  }

  /// Returns the number of words in a text.
  public static func wordCount(of text: String) -> Int {
    var text = text
    var count = 0
    text.withUTF8 { Words.forEach(in: $0) { _, _ in count += 1 } }
    return count
  }

  /// Returns the lines with matches if every term occurs in some line; otherwise an empty array.
  public func lines(in lines: some Sequence<String>) -> [Line] {
    var isFound = Array(repeating: false, count: terms.count)
    var result: [Line] = []
    for (index, text) in lines.enumerated() {
      let matches = matches(in: text, &isFound)
      if !matches.isEmpty { result.append(Line(index: index, text: text, matches: matches)) }
    }
    return isFound.contains(false) ? [] : result
  }

  /// Returns the matches in a line in order, without overlaps, and notes which terms were found.
  private func matches(in line: String, _ isFound: inout [Bool]) -> [Range<String.Index>] {
    var line = line
    var ranges: [Range<Int>] = []
    var last: [(hash: UInt64, start: Int)] = []
    line.withUTF8 { text in
      Words.forEach(in: text) { range, hash in
        if longestTerm > 1 {
          if last.count == longestTerm { last.removeFirst() }
          last.append((hash, range.lowerBound))
        }
        for (place, lastWord) in lastWords.enumerated() where lastWord == hash {
          let term = terms[place]
          var start = range.lowerBound
          if term.count > 1 {
            guard last.suffix(term.count).map(\.hash) == term else { continue }
            start = last[last.count - term.count].start
          }
          isFound[place] = true
          Self.add(start..<range.upperBound, to: &ranges)
        }
      }
    }
    return ranges.map { range in
      let start = line.utf8.index(line.startIndex, offsetBy: range.lowerBound)
      return start..<line.utf8.index(start, offsetBy: range.count)
    }
  }

  /// Adds a range that ends last, united with those that it overlaps.
  private static func add(_ range: Range<Int>, to ranges: inout [Range<Int>]) {
    var range = range
    while let previous = ranges.last, previous.upperBound > range.lowerBound {
      range = min(previous.lowerBound, range.lowerBound)..<range.upperBound
      ranges.removeLast()
    }
    ranges.append(range)
  }
}

private enum Words {
  /// Calls `body` with the bytes and the hash (FNV-1a) of each word.
  @inline(__always)
  static func forEach(
    in text: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>, UInt64) -> Void
  ) {
    let basis: UInt64 = 0xCBF2_9CE4_8422_2325
    FoldedLetter.table.withUnsafeBufferPointer { table in
      var (index, start, hash) = (0, 0, basis)
      while index < text.count {
        let scalarStart = index
        var value = UInt32(text[index])
        index += 1
        if value >= 0x80 {
          let length = value >= 0xF0 ? 3 : value >= 0xE0 ? 2 : 1
          value &= 0x3F >> UInt32(length)
          for _ in 0..<length where index < text.count {
            value = value << 6 | UInt32(text[index] & 0x3F)
            index += 1
          }
        }
        let isAlone = value >= 0x0E00 && FoldedLetter.isWord(value)
        var bytes = value < table.count ? table[Int(value)] : FoldedLetter.bytes(of: value)
        if bytes == FoldedLetter.separator || isAlone {
          if hash != basis { body(start..<scalarStart, hash) }
          hash = basis
        }
        if bytes == FoldedLetter.separator { continue }
        if hash == basis { start = scalarStart }
        while bytes != 0 {
          hash = (hash ^ UInt64(bytes & 0xFF)) &* 0x0000_0100_0000_01B3
          bytes >>= 8
        }
        if isAlone, hash != basis {
          // A decomposed kana with its sound mark is one letter, as if composed.
          if index + 2 < text.count, text[index] == 0xE3, text[index + 1] == 0x82,
            text[index + 2] == 0x99 || text[index + 2] == 0x9A
          {
            for byte in text[index..<index + 3] {
              hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            }
            index += 3
          }
          body(start..<index, hash)
          hash = basis
        }
      }
      if hash != basis { body(start..<text.count, hash) }
    }
  }
}

/// The form of a scalar that all its variants in case and with accents share: up to eight bytes of
/// its decomposed UTF-8, the first one lowest; zero for accents, which are skipped.
private enum FoldedLetter {
  /// The form of what separates words.
  static let separator = UInt64.max

  /// The forms of Latin, Greek, Cyrillic and other letters, and of general punctuation.
  static let table: [UInt64] = (0..<0x2070).map(bytes)

  static func bytes(of value: UInt32) -> UInt64 {
    guard let scalar = Unicode.Scalar(value) else { return separator }
    switch value {
    case 0x30...0x39, 0x61...0x7A: return UInt64(value)
    case 0x41...0x5A: return UInt64(value) | 0x20
    case 0..<0x80: return separator
    case 0x1100...0x11FF: return jamo(value)
    case 0xAC00...0xD7A3:
      // A hangul syllable decomposes into two or three jamo (The Unicode Standard, section 3.12).
      let place = value - 0xAC00
      let last = place % 28 == 0 ? 0 : jamo(0x11A7 + place % 28)
      return jamo(0x1100 + place / 588) | jamo(0x1161 + place % 588 / 28) << 16 | last << 32
    default: break
    }
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint { return 0 }
    // Accents and points have classes from 10 on, and nuktas have 7; vowel signs have others.
    let combiningClass = properties.canonicalCombiningClass.rawValue
    if combiningClass >= 10 || combiningClass == 7 { return 0 }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter:
      return letters[scalar]
        ?? packed(
          Transliteration.latinLetters(scalar) ?? greekLetter(scalar) ?? properties.lowercaseMapping
        )
    case .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber:
      return letters[scalar] ?? packed(String(scalar))
    default: return separator
    }
  }

  /// Returns whether a scalar counts as a word of its own, as in scripts that put no spaces between
  /// words.
  static func isWord(_ value: UInt32) -> Bool {
    switch value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0x2FDF, 0x3005...0x3007,
      0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }

  private static func packed(_ text: String) -> UInt64 {
    text.utf8.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The last two of a jamo's three bytes, which nothing else starts with.
  private static func jamo(_ value: UInt32) -> UInt64 {
    UInt64(0x84 + (value >> 6 & 3)) | UInt64(0x80 | value & 0x3F) << 8
  }

  /// Returns the plain letter of a Greek letter with diacritics, from its name.
  private static func greekLetter(_ scalar: Unicode.Scalar) -> String? {
    guard scalar.value >= 0x0370, let words = scalar.properties.name?.split(separator: " "),
      words.count > 4, words[0] == "GREEK", words[2] == "LETTER", words[4] == "WITH"
    else { return nil }
    let letters = [
      "ALPHA": "α", "EPSILON": "ε", "ETA": "η", "IOTA": "ι", "OMICRON": "ο", "UPSILON": "υ",
      "OMEGA": "ω", "RHO": "ρ",
    ]
    return letters[String(words[3])]
  }

  /// Letters whose base letter or decomposed form does not follow from their names, in both cases.
  private static let letters: [Unicode.Scalar: UInt64] = {
    var letters: [Unicode.Scalar: UInt64] = [:]
    for (variants, base) in marked {
      for scalar in variants.unicodeScalars {
        letters[scalar] = packed(base)
        let upper = scalar.properties.uppercaseMapping.unicodeScalars
        if upper.count == 1, let capital = upper.first { letters[capital] = packed(base) }
      }
    }
    letters["S"] = nil
    letters["I"] = nil
    letters["Σ"] = nil
    for (composed, bases, mark) in voiced {
      for (scalar, base) in zip(composed.unicodeScalars, bases.unicodeScalars) {
        letters[scalar] = packed("\(base)\(mark)")
      }
    }
    return letters
  }()

  private static let marked = [
    ("ßẞ", "ss"), ("ıİ", "i"), ("ſẛ", "s"), ("\u{212B}", "a"), ("ǯ", "ʒ"), ("ς", "σ"),
    ("\u{1FBE}", "ι"), ("\u{3D3}\u{3D4}", "\u{3D2}"), ("\u{374}", "\u{2B9}"),
    ("ёѐӗ", "е"), ("йѝӣӥ", "и"), ("ї", "і"), ("ўӯӱӳ", "у"), ("ѓ", "г"), ("ќ", "к"), ("ӑӓ", "а"),
    ("ӂӝ", "ж"), ("ӟ", "з"), ("ӧ", "о"), ("ӫ", "ө"), ("ӛ", "ә"), ("ӭ", "э"), ("ӵ", "ч"), ("ӹ", "ы"),
    ("ѷ", "ѵ"),
    // Arabic letters with hamza or madda.
    ("\u{622}\u{623}\u{625}", "\u{627}"), ("\u{624}", "\u{648}"), ("\u{626}", "\u{64A}"),
    ("\u{6C0}", "\u{6D5}"), ("\u{6C2}", "\u{6C1}"), ("\u{6D3}", "\u{6D2}"),
    // Letters of Indic scripts with nukta, and vowel signs of two parts.
    ("\u{929}", "\u{928}"), ("\u{931}", "\u{930}"), ("\u{934}", "\u{933}"),
    ("\u{958}", "\u{915}"), ("\u{959}", "\u{916}"), ("\u{95A}", "\u{917}"),
    ("\u{95B}", "\u{91C}"), ("\u{95C}", "\u{921}"), ("\u{95D}", "\u{922}"),
    ("\u{95E}", "\u{92B}"), ("\u{95F}", "\u{92F}"), ("\u{9DC}", "\u{9A1}"),
    ("\u{9DD}", "\u{9A2}"), ("\u{9DF}", "\u{9AF}"), ("\u{9CB}", "\u{9C7}\u{9BE}"),
    ("\u{9CC}", "\u{9C7}\u{9D7}"), ("\u{B94}", "\u{B92}\u{BD7}"),
    ("\u{BCA}", "\u{BC6}\u{BBE}"), ("\u{BCB}", "\u{BC7}\u{BBE}"),
    ("\u{BCC}", "\u{BC6}\u{BD7}"),
  ]

  /// Kana with a sound mark, in composed form.
  private static let voiced: [(composed: String, bases: String, mark: Unicode.Scalar)] = [
    ("がぎぐげござじずぜぞだぢづでどばびぶべぼゔゞ", "かきくけこさしすせそたちつてとはひふへほうゝ", "\u{3099}"),
    ("ガギグゲゴザジズゼゾダヂヅデドバビブベボヴヾ", "カキクケコサシスセソタチツテトハヒフヘホウヽ", "\u{3099}"),
    ("ヷヸヹヺ", "ワヰヱヲ", "\u{3099}"),
    ("ぱぴぷぺぽパピプペポ", "はひふへほハヒフヘホ", "\u{309A}"),
  ]
}
