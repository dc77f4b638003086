import JSONText
import StoryLibrary
import TestSupport

/// Random edits of one record in wire form; a library's files and the server take the same ones.
struct Edits {
  let ledger: Ledger

  /// One field's new value.
  struct Edit {
    var key: String
    var value: JSONValue
    /// The mark that the value bears; `nil` for values too small to bear one.
    var mark: String?
    /// What was added to a counter.
    var count = 0
  }

  /// An edit of a record.
  ///
  /// - Parameters:
  ///   - value: the value of a field as the record has it now.
  ///   - targets: what references may name.
  func edit(
    _ kind: EntityKind, _ value: (String) -> JSONValue?, heroes: [String], events: [String],
    _ random: inout SeededGenerator
  ) -> Edit? {
    func text(_ key: String) -> Edit {
      let mark = ledger.mark("\(kind.rawValue).\(key)")
      return Edit(key: key, value: .string("\(key) \(mark)"), mark: mark)
    }
    func list(_ key: String, least: Int) -> Edit {
      var elements = value(key)?.array ?? []
      if elements.count > max(least, 4) || (elements.count > least && Bool.random(using: &random)) {
        elements.remove(at: Int.random(in: 0..<elements.count, using: &random))
        return Edit(key: key, value: .array(elements))
      }
      let mark = ledger.mark("\(kind.rawValue).\(key)+")
      elements.insert(.string(mark), at: Int.random(in: 0...elements.count, using: &random))
      return Edit(key: key, value: .array(elements), mark: mark)
    }
    func choice(_ key: String, _ values: [String]) -> Edit {
      Edit(key: key, value: .string(values.randomElement(using: &random) ?? ""))
    }
    switch (kind, Int.random(in: 0..<12, using: &random)) {
    case (.heroes, 0): return text("name")
    case (.heroes, 1...2): return list("traits", least: 1)
    case (.heroes, 3...4): return text("appearance")
    case (.heroes, 5): return text("hairColor")
    case (.heroes, 6): return text("specialAbility")
    case (.heroes, 7): return Edit(key: "specialAbility", value: .null)
    case (.heroes, 8): return text("eyeColor")
    case (.heroes, 9): return text("skinTone")
    case (.heroes, _):
      return Edit(
        key: "age", value: .number(JSONNumber(Int.random(in: 3...12, using: &random))))
    case (.events, 0): return text("title")
    case (.events, 1...2): return list("keywords", least: 0)
    case (.events, 3...4): return text("promptSeed")
    case (.events, 5): return text("description")
    case (.events, 6): return Edit(key: "description", value: .null)
    case (.events, 7): return text("tone")
    case (.events, 8): return text("category")
    case (.events, _):
      return Edit(key: "isFavorite", value: .bool(!(value("isFavorite")?.bool ?? false)))
    case (_, 0): return text("title")
    case (_, 1...4):
      guard let content = value("content")?.string else { return nil }
      return lines(content, &random)
    case (_, 5):
      return Edit(key: "isFavorite", value: .bool(!(value("isFavorite")?.bool ?? false)))
    case (_, 6...7):
      let count = Int.random(in: 1...3, using: &random)
      return Edit(
        key: "playCount", value: .number(JSONNumber((value("playCount")?.integer ?? 0) + count)),
        count: count)
    case (_, 8): return choice("language", Schema.languages)
    case (_, 9): return choice("eventType", Schema.eventTypes)
    case (_, 10):
      guard let hero = heroes.randomElement(using: &random) else { return nil }
      return Edit(key: "hero", value: .string(hero))
    default:
      guard let event = events.randomElement(using: &random) else { return nil }
      return Edit(key: "event", value: .string(event))
    }
  }

  /// Replaces, inserts or removes a line; the first one, with the mark of birth, stays.
  private func lines(_ content: String, _ random: inout SeededGenerator) -> Edit {
    var lines = RecordFile.lines(of: content)
    let index = Int.random(in: 1...max(1, lines.count - 1), using: &random)
    if lines.count > 6, Int.random(in: 0..<3, using: &random) == 0 {
      lines.remove(at: index)
      return Edit(key: "content", value: .string(lines.joined(separator: "\n")))
    }
    let mark = ledger.mark("stories.content")
    if index >= lines.count || Bool.random(using: &random) {
      lines.insert("line \(mark)", at: min(index, lines.count))
    } else {
      lines[index] = "line \(mark)"
    }
    return Edit(key: "content", value: .string(lines.joined(separator: "\n")), mark: mark)
  }

  /// A new record: its members in the form that both file and wire take, the hero left out.
  func newRecord(_ kind: EntityKind, _ birth: String, _ random: inout SeededGenerator) -> JSONObject
  {
    let mark = ledger.mark("new \(kind.rawValue)")
    switch kind {
    case .heroes:
      return [
        "name": .string("Hero \(mark)"), "age": 7, "traits": ["kind"], "height": .string(birth),
      ]
    case .events:
      return [
        "title": .string("Event \(mark)"), "promptSeed": "something happens",
        "ageRange": .string(birth),
      ]
    default:
      // No two stories are alike, or one would pass for the other renamed.
      let number = ledger.number()
      let lines = [birth] + (1...5).map { "line \($0) of \(number)" }
      return [
        "title": .string("Story \(mark)"), "content": .string(lines.joined(separator: "\n")),
      ]
    }
  }
}
