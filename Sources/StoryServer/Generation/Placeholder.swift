/// The engine used when none is configured: writes a short plain story and draws a plain card, both
/// marked as placeholders. It does not narrate.
public struct Placeholder: Engine {
  /// Creates the engine.
  public init() {}

  /// Fills in the template of the language with the hero's name, traits and ability.
  public func write(_ request: StoryRequest) async throws(EngineError) -> WrittenStory {
    Self.story(of: request.hero, in: request.language)
  }

  /// Draws a card in one colour with a frame.
  public func draw(_ request: PictureRequest) async throws(EngineError) -> DrawnPicture {
    DrawnPicture(bytes: PlaceholderCard.png(seed: request.seed), isPlaceholder: true)
  }

  /// Always fails.
  ///
  /// - Throws: `EngineError.notSet`.
  public func speak(_ request: SpeechRequest) async throws(EngineError) -> Narration {
    throw .notSet(.speech)
  }

  /// The template of a story. `{name}` only appears where no grammar depends on it: the sentences
  /// do not say whether the hero is he or she, a child or an animal. `{traits}` and `{ability}` are
  /// the record's own words in quotation marks. A sentence without such words is left out.
  private struct Template {
    var title: String
    var opening: String
    var card: String
    var traits: String
    var ability: String
    var middle: String
    var end: String
    var quotes: (open: String, close: String)
  }

  static func story(of hero: StoryHero, in language: String) -> WrittenStory {
    let template = templates[language] ?? english
    func plain(_ text: String) -> String {
      text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let name = plain(hero.name)
    func sentence(_ text: String, _ words: [String], _ mark: String) -> String? {
      let quoted = words.map(plain).filter { !$0.isEmpty }
        .map { template.quotes.open + $0 + template.quotes.close }
      guard !quoted.isEmpty else { return nil }
      return text.replacing(mark, with: quoted.joined(separator: ", "))
    }
    let card = [
      template.card, sentence(template.traits, hero.traits, "{traits}"),
      sentence(template.ability, hero.abilities, "{ability}"),
    ]
    let paragraphs = [
      template.opening, card.compactMap(\.self).joined(separator: " "), template.middle,
      template.end,
    ]
    return WrittenStory(
      title: template.title.replacing("{name}", with: name),
      paragraphs: paragraphs.map { $0.replacing("{name}", with: name) }, isPlaceholder: true)
  }

  private static let templates = [
    "en": english, "fr": french, "es": spanish, "de": german, "it": italian,
  ]

  private static let english = Template(
    title: "A Quiet Evening for {name}",
    opening: """
      It was evening, and the day had been long. The lamp was lit, the kettle had stopped humming, and \
      outside the first star was waiting for the others.
      """,
    card: """
      Next to the lamp leaned a little card. At the top, in beautiful letters, it bore a name: {name}.
      """,
    traits: "Below the name it said: {traits}.",
    ability: "And at the very bottom, written with special care: {ability}.",
    middle: """
      {name} looked at the card for a long time. “It is good to read something like that before \
      sleeping,” whispered the lamp, for lamps may speak when it is late. “And tomorrow there will be \
      something new.”
      """,
    end: """
      Then the card went back to its place, the light grew small, and the house grew still. Good night, \
      {name}.
      """,
    quotes: ("“", "”"))

  private static let french = Template(
    title: "Une soirée tranquille pour {name}",
    opening: """
      C’était le soir, et la journée avait été longue. La lampe était allumée, la bouilloire s’était tue, \
      et dehors la première étoile attendait les autres.
      """,
    card: """
      Près de la lampe, il y avait une petite carte. Tout en haut, en belles lettres, on y lisait un \
      nom\u{A0}: {name}.
      """,
    traits: "Juste en dessous, il était écrit\u{A0}: {traits}.",
    ability: "Et tout en bas, d’une écriture très soignée\u{A0}: {ability}.",
    middle: """
      {name} regarda longtemps la carte. «\u{A0}Cela fait du bien de lire ces mots avant de dormir\u{A0}», murmura la \
      lampe, car les lampes ont le droit de parler quand il est tard. «\u{A0}Et demain, il y aura du nouveau.\u{A0}»
      """,
    end: """
      Alors la carte retrouva sa place, la lumière se fit toute petite et le silence entra dans la maison. \
      Bonne nuit, {name}.
      """,
    quotes: ("«\u{A0}", "\u{A0}»"))

  private static let spanish = Template(
    title: "Una noche tranquila para {name}",
    opening: """
      Era de noche y el día había sido largo. La lámpara estaba encendida, la tetera ya no silbaba y, \
      fuera, la primera estrella esperaba a las demás.
      """,
    card: """
      Junto a la lámpara había una tarjeta pequeña. Arriba, con letras muy bonitas, se leía un nombre: \
      {name}.
      """,
    traits: "Justo debajo decía: {traits}.",
    ability: "Y al pie, escrito con especial cuidado: {ability}.",
    middle: """
      {name} miró la tarjeta un buen rato. «Da gusto leer algo así antes de dormir», susurró la lámpara, \
      porque las lámparas pueden hablar cuando es tarde. «Y mañana habrá algo nuevo».
      """,
    end: """
      Entonces la tarjeta volvió a su sitio, la luz se hizo pequeña y la casa quedó en silencio. Buenas \
      noches, {name}.
      """,
    quotes: ("«", "»"))

  private static let german = Template(
    title: "Ein ruhiger Abend für {name}",
    opening: """
      Es war Abend, und der Tag war lang gewesen. Die Lampe brannte, der Teekessel summte nicht mehr, und \
      draußen wartete der erste Stern auf die anderen.
      """,
    card: """
      Neben der Lampe lehnte eine kleine Karte. Ganz oben stand in schöner Schrift ein Name: {name}.
      """,
    traits: "Darunter war zu lesen: {traits}.",
    ability: "Und ganz unten, mit besonderer Sorgfalt geschrieben: {ability}.",
    middle: """
      {name} sah die Karte lange an. „So etwas liest man gern vor dem Einschlafen“, flüsterte die Lampe, denn \
      wenn es spät ist, dürfen Lampen sprechen. „Und morgen kommt etwas Neues dazu.“
      """,
    end: """
      Dann kam die Karte wieder an ihren Platz, das Licht wurde klein, und im Haus wurde es still. Gute \
      Nacht, {name}.
      """,
    quotes: ("„", "“"))

  private static let italian = Template(
    title: "Una sera tranquilla per {name}",
    opening: """
      Era sera e la giornata era stata lunga. La lampada era accesa, il bollitore taceva e fuori la prima \
      stella aspettava le altre.
      """,
    card: """
      Accanto alla lampada c’era un piccolo biglietto. In alto, in bella grafia, si leggeva un nome: {name}.
      """,
    traits: "Subito sotto c’era scritto: {traits}.",
    ability: "E in fondo, scritto con particolare cura: {ability}.",
    middle: """
      {name} guardò a lungo il biglietto. «È bello leggere parole così prima di dormire», sussurrò la \
      lampada, perché quando è tardi le lampade possono parlare. «E domani ci sarà qualcosa di nuovo.»
      """,
    end: """
      Poi il biglietto tornò al suo posto, la luce si fece piccola e sulla casa scese il silenzio. \
      Buonanotte, {name}.
      """,
    quotes: ("«", "»"))
}
