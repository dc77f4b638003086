import JSONText
import StoryLibrary

/// Parts of sentences.
enum Phrases {
  /// `1 record`, `3 records`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(number == 1 ? noun : noun + "s")"
  }

  /// `1 hero`, `3 stories`.
  static func count(_ number: Int, _ kind: EntityKind) -> String {
    "\(number) \(number == 1 ? kind.schema.noun : kind.rawValue)"
  }

  /// `it` or `them`.
  static func them(_ number: Int) -> String { number == 1 ? "it" : "them" }

  /// `a, b and c`.
  static func list(_ items: [String], last word: String = "and") -> String {
    guard let last = items.last, items.count > 1 else { return items.joined() }
    return items.dropLast().joined(separator: ", ") + " \(word) \(last)"
  }

  /// A sentence as errors and hints are written: it begins in lower case and ends without a full
  /// stop.
  static func clause(_ sentence: String) -> String {
    let text = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    let isWord = text.dropFirst().first.map { $0.isLowercase || $0 == " " } ?? false
    return isWord ? text.prefix(1).lowercased() + text.dropFirst() : String(text)
  }

  /// `heroes/luna.json:3:5`, or the path alone.
  static func place(_ path: String, _ position: TextPosition?) -> String {
    path + (position.map { ":\($0)" } ?? "")
  }

  /// The numbers of each kind among some records: `11 heroes, 7 events and 15 stories`.
  static func kinds(_ refs: some Sequence<RecordRef>) -> String {
    kinds(refs.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 })
  }

  static func kinds(_ counts: [EntityKind: Int]) -> String {
    list(EntityKind.allCases.compactMap { kind in counts[kind].map { count($0, kind) } })
  }

  /// A duration in its two largest units, rounded up: `5 s`, `2 min 30 s`, `3 h`, `2 days 4 h`;
  /// `less than a second` below one.
  static func span(_ duration: Duration) -> String {
    guard duration >= .seconds(1) else { return "less than a second" }
    let (whole, rest) = duration.components
    var seconds = whole + (rest > 0 ? 1 : 0)
    let units: [(size: Int64, one: String, many: String)] = [
      (86_400, "day", "days"), (3_600, "h", "h"), (60, "min", "min"), (1, "s", "s"),
    ]
    let first = units.firstIndex { seconds >= $0.size } ?? units.count - 1
    // Rounds up so that no third unit is left: 2 min 30 s, but 1 h 1 min.
    let least = units[min(first + 1, units.count - 1)].size
    seconds = (seconds + least - 1) / least * least
    var parts: [String] = []
    for unit in units where seconds >= unit.size && parts.count < 2 {
      let number = seconds / unit.size
      parts.append("\(number) \(number == 1 ? unit.one : unit.many)")
      seconds %= unit.size
    }
    return parts.joined(separator: " ")
  }

  /// A time in the past in its largest unit, rounded down: `just now`, `5 min ago`, `3 weeks ago`.
  static func age(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    let units: [(size: Int64, one: String, many: String)] = [
      (365 * 86_400, "year", "years"), (60 * 86_400, "", "months"), (14 * 86_400, "", "weeks"),
      (86_400, "day", "days"), (3_600, "h", "h"), (60, "min", "min"),
    ]
    guard let unit = units.first(where: { seconds >= $0.size }) else { return "just now" }
    // From two on, months and weeks are easier to grasp than days.
    let size = unit.many == "months" ? 30 * 86_400 : unit.many == "weeks" ? 7 * 86_400 : unit.size
    let number = seconds / size
    return "\(number) \(number == 1 ? unit.one : unit.many) ago"
  }

  /// A number of bytes: `812 bytes`, `4.2 MB`.
  static func size(_ bytes: Int) -> String {
    for (unit, factor) in [("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1_000)]
    where bytes >= factor {
      let tenths = bytes / (factor / 10)
      return tenths >= 100 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }
    return count(bytes, "byte")
  }

  /// A short duration: `12 ms`, `3.4 s`.
  static func time(_ duration: Duration) -> String {
    let milliseconds =
      duration.components.seconds * 1_000 + duration.components.attoseconds / 1_000_000_000_000_000
    guard milliseconds >= 1_000 else { return "\(milliseconds) ms" }
    return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
  }
}

extension [RecordRef] {
  func listed(upTo limit: Int = 5, isChoice: Bool = false) -> String {
    let shown = prefix(limit).map(\.description)
    return count > limit
      ? Phrases.list(shown + ["\(count - limit) more"])
      : Phrases.list(shown, last: isChoice ? "or" : "and")
  }
}
