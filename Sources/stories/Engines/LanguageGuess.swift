/// Detects, by common short words, that a text is in another language than expected.
enum LanguageGuess {
  private static let words: [String: Set<String>] = [
    "en": ["the", "and", "was", "with", "that", "she", "of", "to", "they", "then"],
    "fr": ["les", "et", "des", "dans", "est", "pas", "elle", "était", "une", "qui"],
    "es": ["el", "los", "las", "y", "había", "muy", "pero", "una", "se", "estaba"],
    "de": ["der", "und", "nicht", "ist", "ein", "mit", "sie", "das", "den", "es"],
    "it": ["il", "gli", "che", "di", "era", "della", "una", "si", "nel", "più"],
  ]

  /// Returns a text's language, or `nil` if it is the expected one or unknown.
  static func other(than language: String, in text: String) -> String? {
    guard words[language] != nil else { return nil }
    var counts: [String: Int] = [:]
    for word in text.lowercased().split(whereSeparator: { !$0.isLetter }) {
      for (language, small) in words where small.contains(String(word)) {
        counts[language, default: 0] += 1
      }
    }
    guard let most = counts.max(by: { $0.value < $1.value }), most.key != language,
      most.value >= 8, most.value >= 3 * (counts[language] ?? 0)
    else { return nil }
    return most.key
  }
}
