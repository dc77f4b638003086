import JSONText

/// What a hero's record tells of the hero's look.
struct Figure: Sendable {
  /// The look in words, for someone who draws.
  var words = ""
  var hair: Color?
  var eyes: Color?
  var skin: Color?
  var hasLongHair = false
  var isTall = false
  /// What the rest of the look follows from: the avatar's seed, so that all pictures are alike.
  var seed: UInt64 = 0

  init(hasLongHair: Bool) { self.hasLongHair = hasLongHair }

  /// The look of a hero; `nil` stands for one that is gone.
  init(_ hero: JSONNode?) {
    func text(_ name: String) -> String? {
      hero?[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }
    let appearance = text("appearance")
    hair = text("hairColor").flatMap { Self.color($0, Self.hairs) }
    eyes = text("eyeColor").flatMap { Self.color($0, Self.eyeColors) }
    skin = text("skinTone").flatMap { Self.color($0, Self.skins) }
    let looks = [appearance, text("hairColor")].compactMap(\.self).joined(separator: " ")
    hasLongHair = Self.has(
      looks, ["long", "lang", "larg", "lung", "braid", "tress", "trenz", "zopf", "zöpf", "trecc"])
    isTall = Self.has(text("height") ?? "", ["tall", "grand", "alt", "groß"])
    var parts = [text("name") ?? "a child"]
    if let age = hero?["age"]?.number?.integer { parts.append("\(age) years old") }
    if let appearance { parts.append(appearance) }
    for (name, noun) in [("hairColor", "hair"), ("eyeColor", "eyes"), ("skinTone", "skin")] {
      if let value = text(name) { parts.append("\(noun): \(value)") }
    }
    words = parts.joined(separator: ", ")
    seed =
      text("avatarUrl").flatMap { MediaName(path: $0)?.seed } ?? Seed.of(text("id") ?? words)
  }

  // MARK: Words for colours

  /// Parts of words, in the languages of stories, and the colour that they stand for.
  private typealias Colors = [(words: [String], color: UInt32)]

  private static let hairs: Colors = [
    (["blond", "rubi", "biond", "gold", "dorad"], 0xE3B565),
    (["red", "ginger", "roux", "rousse", "pelirroj", "rot", "ross", "auburn"], 0xB5482A),
    (["brown", "brun", "cast", "châtain", "braun", "marr", "chestnut"], 0x6B4226),
    (["black", "noir", "negr", "schwarz", "ner"], 0x1D1A22),
    (
      ["white", "blanc", "weiß", "bianc", "grey", "gray", "gris", "grau", "grig", "silver"],
      0xD9D6DC
    ),
    (["blue", "bleu", "azul", "blau", "blu"], 0x4F7FC2),
    (["green", "vert", "verd", "grün"], 0x4FA36B),
    (["pink", "rose", "rosa"], 0xE58BB0),
    (["purple", "violet", "morad", "lila", "viola"], 0x7A6BC2),
    (["dark", "foncé", "oscur", "dunkel", "scur"], 0x3B2417),
    (["light", "clair", "clar", "hell", "chiar"], 0xD2A56A),
  ]

  private static let eyeColors: Colors = [
    (["blue", "bleu", "azul", "blau", "blu", "azzurr"], 0x3E7FC3),
    (["green", "vert", "verd", "grün"], 0x4C8F5A),
    (["hazel", "noisette", "avellana", "nocciol"], 0x8A6B3D),
    (["grey", "gray", "gris", "grau", "grig"], 0x7D8494),
    (["amber", "ambre", "ámbar", "ambra"], 0xC08A3A),
    (["brown", "marron", "brun", "marr", "braun", "castañ"], 0x5A3A24),
    (["black", "noir", "negr", "schwarz", "ner", "dark", "dunkel", "oscur", "scur"], 0x2A1E1C),
    (["violet", "purple", "viola", "lila"], 0x7A5BB0),
  ]

  private static let skins: Colors = [
    (
      ["ebony", "dark", "black", "foncé", "noir", "oscur", "negr", "dunkel", "schwarz", "scur"],
      0x7B4B31
    ),
    (["brown", "brun", "moren", "braun", "marr", "brun"], 0xA9714B),
    (["tan", "olive", "medium", "mat", "oliv", "mittel", "medi"], 0xD09A6E),
    (
      [
        "pale", "fair", "light", "clair", "clar", "hell", "chiar", "pâle", "pálid", "white",
        "porcelain",
      ], 0xF6D7BD
    ),
  ]

  private static func color(_ text: String, _ colors: Colors) -> Color? {
    colors.first { has(text, $0.words) }.map { Color($0.color) }
  }

  /// Whether one of the words in a text begins with one of these.
  private static func has(_ text: String, _ starts: [String]) -> Bool {
    text.lowercased().split { !$0.isLetter }.contains { word in
      starts.contains { word.hasPrefix($0) }
    }
  }
}
