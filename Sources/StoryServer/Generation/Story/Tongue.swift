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

  /// The words in which heroes' traits are written, in the order of ``nouns``.
  static let traitWords: [[String]] = [
    [],
    [
      "brave", "courageous", "fearless", "bold", "courageux", "courageuse", "valiente", "mutig",
      "tapfer", "coraggioso", "coraggiosa",
    ],
    [
      "curious", "inquisitive", "curieux", "curieuse", "curioso", "curiosa", "neugierig",
      "wissbegierig",
    ],
    [
      "kind", "caring", "loving", "kindhearted", "gentil", "gentille", "amable", "bondadoso",
      "bondadosa", "freundlich", "lieb", "gentile", "friendly",
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
      "determined", "persistent", "stubborn", "strong", "hardworking", "déterminé", "déterminée",
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
    return parts.dropLast().joined(separator: ", ") + and + last
  }

  /// Somebody's own words.
  func quoted(_ text: String) -> String { quotes.open + text + quotes.close }
}
