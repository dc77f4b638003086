/// What the grammar knows of a language: the tales, the sentences that go with all of them, and the
/// words for traits.
///
/// Texts hold `{name}`, `{having}` (what the hero has, as an object), `{trait}` (the first of those, as
/// a subject), `{words}` (the hero's own words for traits), `{gift}`, `{age}`, and in a tale of one's
/// own `{event}`, `{seed}`, `{tone}` and `{keywords}`. A hero may be anyone, so no sentence says "he" or
/// "she" of the hero or bends a word to it, and none sets a name where the word before it would have
/// to change.
struct Tongue: Sendable {
  /// One event's story, paragraph by paragraph; each has one or more forms.
  struct Tale: Sendable {
    var titles: [String]
    var opening: [String]
    var wish: [String]
    var trouble: [String]
    var help: [String]
    var end: [String]
  }

  /// A trait as a noun.
  struct Noun: Sendable {
    /// The words that stand for it in a hero's record, in any language, in lower case.
    var words: [String]
    /// As an object, without an article where the language does without one.
    var having: String
    /// As a subject at the start of a sentence's second part.
    var subject: String
  }

  var tales: [BuiltInEvent: Tale]
  /// An event of one's own.
  var own: Tale
  /// Told where an own event has keywords.
  var keywords: String
  /// Who the hero is.
  var hero: [String]
  /// The age, from 2 on.
  var age: String
  /// Words for traits that have no noun here.
  var words: String
  /// The special ability.
  var gift: [String]
  /// The moment in which the trouble turns.
  var turn: [String]
  /// The same, with the special ability.
  var giftTurn: [String]
  /// The last words.
  var close: [String]
  /// Traits; the first one stands for a hero of whom none is known.
  var nouns: [Noun]
  var quotes: (open: String, close: String)
  var and: String
  /// The form that a short word takes before a text, where it is another than usual.
  var euphony: @Sendable (_ word: String, _ next: String) -> String? = { _, _ in nil }
  /// Whether a space stands before `;`, `:`, `!` and `?` and within quotation marks; no line breaks at
  /// it.
  var spaces = false

  /// The words in which heroes' traits are written, in the order of ``nouns``.
  static let traitWords: [[String]] = [
    [],
    [
      "brave", "courageous", "fearless", "bold", "courageux", "courageuse", "valiente", "mutig",
      "tapfer", "coraggioso", "coraggiosa",
    ],
    [
      "curious", "inquisitive", "observant", "attentive", "attentif", "atento",
      "atenta", "aufmerksam", "attento", "attenta", "curieux", "curieuse", "curioso", "curiosa",
      "neugierig",
      "wissbegierig",
    ],
    [
      "kind", "caring", "loving", "kindhearted", "gentil", "gentille", "amable", "bondadoso",
      "bondadosa", "freundlich", "lieb", "gentile", "friendly", "affectionate", "affectueux",
      "affectueuse",
      "cariñoso", "cariñosa", "affettuoso", "affettuosa", "liebevoll",
    ],
    ["patient", "patiente", "paciente", "geduldig", "paziente"],
    [
      "funny", "humorous", "playful", "silly", "drôle", "gracioso", "graciosa", "divertido",
      "divertida", "lustig", "witzig", "divertente", "buffo", "buffa",
    ],
    [
      "creative", "imaginative", "artistic", "dreamy", "créatif", "créative", "imaginatif",
      "imaginative", "creativo", "creativa", "kreativ", "phantasievoll", "fantasievoll",
      "fantasioso",
      "fantasiosa",
    ],
    [
      "clever", "smart", "intelligent", "wise", "intelligente", "malin", "maligne", "listo",
      "lista",
      "inteligente", "klug", "schlau", "sveglio", "sveglia", "furbo", "furba", "bright",
    ],
    [
      "calm", "quiet", "gentle", "shy", "calme", "doux", "douce", "tranquilo", "tranquila", "ruhig",
      "sanft", "calmo", "calma", "tranquillo", "tranquilla", "thoughtful",
    ],
    [
      "cheerful", "happy", "joyful", "optimistic", "joyeux", "joyeuse", "alegre", "feliz",
      "fröhlich",
      "allegro", "allegra", "felice",
    ],
    [
      "determined", "persistent", "stubborn", "strong", "hardworking", "têtu", "têtue", "terco",
      "terca", "testardo", "testarda", "stur", "dickköpfig", "déterminé", "déterminée",
      "tenace", "decidido", "decidida", "perseverante", "ausdauernd", "entschlossen", "determinato",
      "determinata",
    ],
    [
      "generous", "helpful", "giving", "généreux", "généreuse", "serviable", "generoso", "generosa",
      "servicial", "hilfsbereit", "großzügig", "disponibile",
    ],
    [
      "adventurous", "energetic", "lively", "active", "aventureux", "aventureuse", "aventurero",
      "aventurera", "abenteuerlustig", "avventuroso", "avventurosa",
    ],
    [
      "honest", "loyal", "fair", "honnête", "loyale", "honesto", "honesta", "leal", "ehrlich",
      "treu",
      "onesto", "onesta", "leale",
    ],
  ]
}

extension Tongue {
  /// What is known of a language.
  static func of(_ language: String) -> Tongue {
    switch language {
    case "fr": french
    case "es": spanish
    case "de": german
    case "it": italian
    default: english
    }
  }

  /// The noun for a trait in the hero's record.
  func noun(_ trait: String) -> Noun? {
    let word = trait.lowercased().filter { $0 != " " && $0 != "-" }
    return nouns.first { $0.words.contains { $0.utf8.elementsEqual(word.utf8) } }
  }

  /// Several things, with "and" before the last.
  func list(_ parts: [String]) -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return join(parts.dropLast().joined(separator: ", ") + and, last)
  }

  /// Two pieces of text, the last word of the first in the form that it has before the second.
  func join(_ text: String, _ next: String) -> String {
    let start = next.drop { !$0.isLetter }
    // Between the word and the next one stands a space, and maybe an opening quotation mark.
    let body = text.dropLast(while: { !$0.isLetter })
    let word = String(body.takeLast(while: \.isLetter))
    guard body.count < text.count, let form = euphony(word, String(start)) else {
      return text + next
    }
    return body.dropLast(word.count) + form + text.dropFirst(body.count) + next
  }

  /// A text of this language as it is set: with spaces at which no line breaks.
  func set(_ text: String) -> String {
    guard spaces else { return text }
    var result = text.replacing("« ", with: "«\u{A0}").replacing(" »", with: "\u{A0}»")
    for sign in [":", ";", "!", "?"] {
      result = result.replacing(" \(sign)", with: "\u{A0}\(sign)")
    }
    return result
  }

  /// Somebody's own words.
  func quoted(_ text: String) -> String { set(quotes.open) + text + set(quotes.close) }
}

extension StringProtocol {
  /// What is left without the last characters that are so.
  fileprivate func dropLast(while isSo: (Character) -> Bool) -> SubSequence {
    var end = endIndex
    while end > startIndex, isSo(self[index(before: end)]) { end = index(before: end) }
    return self[..<end]
  }

  /// The last characters that are so.
  fileprivate func takeLast(while isSo: (Character) -> Bool) -> SubSequence {
    self[dropLast(while: isSo).endIndex...]
  }
}
