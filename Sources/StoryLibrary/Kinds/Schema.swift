public import JSONText

/// The properties of a kind of record.
///
/// Each kind has one instance, because every record needs its parts.
public final class Schema: Sendable {
  /// The noun for one record, such as `hero`.
  public let noun: String
  /// The path segment on the wire, such as `custom-events`.
  public let wirePath: String
  /// The key of a list of this kind on the wire, such as `customEvents`.
  public let listKey: String
  /// The members that the user owns, in the order of a new file.
  public let fields: [Field]
  /// The fields that reference other records.
  public let references: [Field]
  /// The member that contains a record's title for people: `name` or `title`.
  public let titleKey: String
  /// The members with URLs made by the server, whose query strings change with each read.
  let mediaKeys: [String]
  /// The strategy if a record was deleted locally and changed on the server.
  public let deletedLocally: Strategy
  /// Whether only the server makes records of this kind.
  public let isReadOnly: Bool

  /// The keys of the fields in record files, in their order.
  public let keyOrder: [String]
  /// The key order of a record file in canonical form: `$schema`, then the fields.
  public let memberOrder: [String]
  /// The keys of arrays that always have one element per line.
  public let brokenArrays: Set<String>

  private let byKey: [String: Int]
  private let byWireKey: [String: Int]

  init(
    noun: String, wirePath: String, listKey: String, titleKey: String, fields: [Field],
    mediaKeys: [String] = [], deletedLocally: Strategy, isReadOnly: Bool = false
  ) {
    self.noun = noun
    self.wirePath = wirePath
    self.listKey = listKey
    self.fields = fields
    references = fields.filter { $0.referencedKind != nil }
    self.titleKey = titleKey
    self.mediaKeys = mediaKeys
    self.deletedLocally = deletedLocally
    self.isReadOnly = isReadOnly
    keyOrder = fields.flatMap(\.keys)
    memberOrder = [Self.schemaKey] + keyOrder
    brokenArrays = Set(fields.filter { $0.shape == .lines }.map(\.key))
    byKey = Dictionary(
      fields.enumerated().flatMap { place, field in field.keys.map { ($0, place) } },
      uniquingKeysWith: { first, _ in first })
    byWireKey = Dictionary(
      fields.enumerated().map { ($1.wireKey, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The noun with its article: `a hero`, `an event`.
  public var nounWithArticle: String { ("aeiou".contains(noun.first ?? "x") ? "an " : "a ") + noun }

  /// Returns the field with a key in record files, or `nil`.
  public func field(key: String) -> Field? { byKey[key].map { fields[$0] } }

  /// Returns the field with a key on the wire, or `nil`.
  public func field(wireKey: String) -> Field? { byWireKey[wireKey].map { fields[$0] } }

  /// Returns the index in ``fields`` of the field with a key in record files.
  public func fieldIndex(key: String) -> Int? { byKey[key] }

  /// Returns the index in ``fields`` of the field with a key on the wire.
  public func fieldIndex(wireKey: String) -> Int? { byWireKey[wireKey] }

  /// The member by which a record file names its JSON Schema, for editors. It is not a field and is
  /// never sent.
  static let schemaKey = "$schema"

  /// The languages that servers write and read aloud.
  public static let languages = ["en", "fr", "es", "de", "it"]

  /// The events that all servers know.
  public static let eventTypes = [
    "bedtime", "schoolDay", "birthday", "weekend", "rainyDay", "family", "friendship", "learning",
    "helping", "holiday",
  ]

  // The deployed server counts characters in UTF-16 units, like JavaScript; so does validation.
  private static let shortText = Field.Shape.text(length: 1...200)
  private static let looks = Field.Shape.text(length: 0...1_000)

  /// Heroes: the server wins, because the avatar may have been drawn from its values.
  public static let heroes = Schema(
    noun: "hero", wirePath: "heroes", listKey: "heroes", titleKey: "name",
    fields: [
      Field("name", shortText, isRequired: true, strategy: .server),
      Field("age", .integer(3...12), isRequired: true, strategy: .server),
      Field(
        "traits", .list(count: 1...20, length: 1...100), isRequired: true, merge: .set,
        strategy: .server),
      Field("specialAbility", .phrases(count: 0...10, length: 0...1_000), strategy: .server),
      Field("appearance", looks, strategy: .server),
      Field("hairColor", looks, strategy: .server),
      Field("eyeColor", looks, strategy: .server),
      Field("skinTone", looks, strategy: .server),
      Field("height", looks, strategy: .server),
    ],
    mediaKeys: ["avatarUrl"], deletedLocally: .server)

  /// Stories: the user's own writing, so the user decides.
  public static let stories = Schema(
    noun: "story", wirePath: "stories", listKey: "stories", titleKey: "title",
    fields: [
      Field("title", .text(length: 1...500), isRequired: true, strategy: .ask),
      Field("hero", wireKey: "heroId", .reference(.heroes), isRequired: true, strategy: .ask),
      Field("event", wireKey: "customEventId", .reference(.events), strategy: .ask),
      Field("eventType", .choice(eventTypes), strategy: .ask),
      Field("language", .choice(languages), defaultValue: "en", strategy: .ask),
      Field("content", .lines, isRequired: true, merge: .lines, strategy: .ask),
      Field("isFavorite", .boolean, defaultValue: false, merge: .flag, strategy: .merge),
      Field(
        "playCount", .integer(0...Int(Int32.max)), defaultValue: 0, merge: .counter,
        strategy: .merge),
    ],
    mediaKeys: ["audioUrl"], deletedLocally: .ask)

  /// Custom events: the user's own, so the local side wins.
  public static let events = Schema(
    noun: "event", wirePath: "custom-events", listKey: "customEvents", titleKey: "title",
    fields: [
      Field("title", shortText, isRequired: true, strategy: .local),
      Field("description", .text(length: 0...5_000), strategy: .local),
      Field("promptSeed", .text(length: 1...2_000), isRequired: true, strategy: .local),
      Field("category", .text(length: 1...200), defaultValue: "general", strategy: .local),
      Field("ageRange", .text(length: 0...200), strategy: .local),
      Field("tone", .text(length: 1...200), defaultValue: "cheerful", strategy: .local),
      Field(
        "keywords", .list(count: 0...100, length: 1...200), defaultValue: [], merge: .set,
        strategy: .local),
      Field("isFavorite", .boolean, defaultValue: false, merge: .flag, strategy: .merge),
    ],
    deletedLocally: .local)

  /// Illustrations: expensive to make, so the server's version stays. The user owns none of the
  /// fields; they are what the files show.
  public static let illustrations = Schema(
    noun: "illustration", wirePath: "illustrations", listKey: "illustrations",
    titleKey: "sceneDescription",
    fields: [
      Field("scene", wireKey: "sceneDescription", .text(length: 0...100_000), strategy: .server),
      Field("order", wireKey: "displayOrder", .integer(0...Int(Int32.max)), strategy: .server),
      Field("status", wireKey: "generationStatus", .text(length: 0...100), strategy: .server),
      Field("time", wireKey: "audioTimestamp", .number, strategy: .server),
      Field("duration", wireKey: "audioDuration", .number, strategy: .server),
    ],
    mediaKeys: ["imageUrl"], deletedLocally: .server, isReadOnly: true)
}

extension Schema {
  /// Sets fields in the members of a record file; other members stay.
  ///
  /// A null removes the field. A field that is stated by one of its keys replaces the others. Long text
  /// keeps its form: an array of lines, or one string.
  /// - Parameters:
  ///   - values: The fields by their keys; long text as one string.
  ///   - members: The members of the file.
  public func apply(_ values: JSONObject, to members: inout JSONObject) {
    for value in values.members {
      guard let field = field(key: value.key) else { continue }
      for key in field.keys where key != value.key || value.value.isNull { members[key] = nil }
      guard !value.value.isNull else { continue }
      if field.shape == .lines, let text = value.value.string {
        members[value.key] = RecordFile.longText(text, like: members[value.key])
      } else {
        members[value.key] = value.value
      }
    }
  }
}
