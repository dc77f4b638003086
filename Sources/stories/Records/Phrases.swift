import StoryLibrary

/// Small pieces of sentences.
enum Phrases {
  /// `1 record`, `3 records`.
  static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// `1 hero`, `3 stories`.
  static func count(_ number: Int, _ kind: EntityKind) -> String {
    "\(number) \(number == 1 ? kind.schema.noun : kind.rawValue)"
  }

  /// `a, b and c`.
  static func list(_ items: [String]) -> String {
    items.count < 2
      ? items.joined() : items.dropLast().joined(separator: ", ") + " and " + items[items.count - 1]
  }

  /// The numbers of each kind among some records: `11 heroes, 7 events and 15 stories`.
  static func kinds(_ refs: some Sequence<RecordRef>) -> String {
    let counts = refs.reduce(into: [EntityKind: Int]()) { $0[$1.kind, default: 0] += 1 }
    return list(EntityKind.allCases.compactMap { kind in counts[kind].map { count($0, kind) } })
  }

  /// A stretch of time as people say it: `12 ms`, `3.4 s`.
  static func time(_ duration: Duration) -> String {
    let milliseconds =
      duration.components.seconds * 1_000 + duration.components.attoseconds / 1_000_000_000_000_000
    guard milliseconds >= 1_000 else { return "\(milliseconds) ms" }
    return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
  }
}
