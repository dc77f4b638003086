import JSONText
import StoryLibrary

/// Made-up records: the same ones for the same seed.
///
/// Of a hundred four are heroes and one is an event; a story has about 1.3 KB.
struct Tale {
  /// One made-up record.
  struct Record {
    var ref: RecordRef
    /// The person's part in wire form.
    var fields: FieldValues
    /// The id that a server would have given it.
    var id: String
  }

  private var generator: SeededGenerator
  /// What the references in record files stand for.
  private(set) var references = ReferenceTable()
  private var madeHeroes: [Record] = []
  private var madeEvents: [Record] = []

  init(seed: UInt64 = 7) { generator = SeededGenerator(seed: seed) }

  /// Makes a library's records in the order of their kinds and hands them out one by one.
  ///
  /// - Parameters:
  ///   - count: how many in all.
  ///   - heroes: how many of them are heroes; one of 25 where nothing is said.
  ///   - events: how many are events; one of 100.
  mutating func records(
    _ count: Int, heroes: Int? = nil, events: Int? = nil,
    _ body: (Record, ReferenceTable) throws -> Void
  ) rethrows {
    let heroCount = heroes ?? max(1, count / 25)
    let eventCount = events ?? count / 100
    for index in 0..<count {
      let record =
        if index < heroCount {
          hero(index)
        } else if index < heroCount + eventCount {
          event(index)
        } else {
          story(index)
        }
      references.add(record.ref, id: record.id)
      if record.ref.kind == .heroes { madeHeroes.append(record) }
      if record.ref.kind == .events { madeEvents.append(record) }
      try body(record, references)
    }
  }

  // MARK: Kinds

  private mutating func hero(_ index: Int) -> Record {
    let name = "\(word()) \(word())"
    return record(
      .heroes, title: name, index: index,
      [
        "name": .string(name),
        "age": .number(JSONNumber(Int.random(in: 3...12, using: &generator))),
        "traits": .array((0..<3).map { _ in .string(word()) }),
        "specialAbility": .string(sentence(4)), "appearance": .string(sentence(14)),
      ])
  }

  private mutating func event(_ index: Int) -> Record {
    let title = sentence(3)
    return record(
      .events, title: title, index: index,
      [
        "title": .string(title), "description": .string(sentence(20)),
        "promptSeed": .string(sentence(12)),
        "keywords": .array((0..<3).map { _ in .string(word()) }),
      ])
  }

  private mutating func story(_ index: Int) -> Record {
    let title = sentence(4)
    var lines: [String] = []
    for place in 0..<Int.random(in: 8...14, using: &generator) {
      lines.append(place % 3 == 1 ? "" : sentence(Int.random(in: 16...28, using: &generator)))
    }
    var fields: JSONObject = [
      "title": .string(title),
      "heroId": .string(madeHeroes.randomElement(using: &generator)?.id ?? ""),
      "content": .string(lines.joined(separator: "\n")),
    ]
    if index % 4 == 0, let event = madeEvents.randomElement(using: &generator) {
      fields["customEventId"] = .string(event.id)
    }
    return record(.stories, title: title, index: index, fields)
  }

  private mutating func record(
    _ kind: EntityKind, title: String, index: Int, _ fields: JSONObject
  ) -> Record {
    let name = Slug.make("\(title) \(index)", fallback: kind.schema.noun)
    let digits = String(generator.next(), radix: 16) + String(generator.next(), radix: 16)
    let padded = Array(digits + String(repeating: "0", count: 32 - digits.count))
    let parts = [padded[0..<8], padded[8..<12], padded[12..<16], padded[16..<20], padded[20..<32]]
    return Record(
      ref: RecordRef(kind: kind, name: name), fields: FieldValues(kind: kind, wire: fields),
      id: parts.map { String($0) }.joined(separator: "-"))
  }

  // MARK: Words

  private static let syllables = [
    "lu", "na", "mi", "ro", "sel", "ta", "ven", "ko", "ri", "mar", "the", "o", "win", "ter", "bel",
    "la", "snow", "bär", "é", "fin", "der", "stern", "cat", "moon", "ly", "no", "vi", "pe", "a",
    "sh",
  ]

  private mutating func word() -> String {
    (0..<Int.random(in: 1...4, using: &generator)).map { _ in
      Self.syllables[Int.random(in: 0..<Self.syllables.count, using: &generator)]
    }.joined()
  }

  private mutating func sentence(_ words: Int) -> String {
    let text = (0..<words).map { _ in word() }.joined(separator: " ")
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}
