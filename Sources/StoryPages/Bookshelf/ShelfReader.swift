import JSONText
import StoryLibrary

/// Reads heroes and stories as pages show them, whatever their files hold.
struct ShelfReader: Sendable {
  struct Unreadable: Error {}

  private enum Content: Sendable {
    case hero(Bookshelf.Hero)
    case story(Bookshelf.Story, event: RecordRef?, isDraft: Bool)
    case event(title: String)
  }

  /// A record as it was read, valid as long as a scan says the same of it.
  private struct Known: Sendable {
    let entry: ScanEntry
    let content: Content
  }

  private let reader: RecordReader
  private let scan: Scan
  private var events: [RecordRef: String] = [:]
  private let earlier: [RecordRef: Known]
  private var known: [RecordRef: Known] = [:]

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - library: The library.
  ///   - scan: A scan of it.
  ///   - earlier: The reader of an earlier scan, whose records are not read again if they have not
  ///     changed.
  init(_ library: Library, _ scan: Scan, after earlier: ShelfReader? = nil) {
    reader = RecordReader(library: library, references: scan.references)
    self.scan = scan
    self.earlier = earlier?.known ?? [:]
    for entry in scan.entries where entry.ref.kind == .events && entry.digest != nil {
      if case .event(let title) = try? content(of: entry) { events[entry.ref] = title }
    }
  }

  mutating func hero(
    _ entry: ScanEntry, _ media: ShelfMedia
  ) throws(Unreadable) -> Bookshelf.Hero {
    guard case .hero(var hero) = try content(of: entry) else { throw Unreadable() }
    hero.avatar = media.avatars[entry.ref]
    return hero
  }

  /// Returns a story, or `nil` if it has no text.
  mutating func story(
    _ entry: ScanEntry, _ media: ShelfMedia
  ) throws(Unreadable) -> Bookshelf.Story? {
    guard case .story(let story, let event, let isDraft) = try content(of: entry) else {
      throw Unreadable()
    }
    return isDraft ? nil : complete(story, event: event, media)
  }

  func content(of ref: RecordRef, _ media: ShelfMedia) throws(Unreadable) -> StoryContent {
    guard let entry = scan.entry(ref) else { throw Unreadable() }
    let (record, sidecar) = try record(entry)
    let prose = Prose(record["content"].string ?? "")
    let story = Self.story(entry, record, sidecar, prose)
    var length: Double?
    if case .number(let number)? = sidecar?.server["audioDuration"] { length = number.double }
    return StoryContent(
      story: complete(story, event: Self.event(of: record), media), prose: prose,
      scenes: media.scenes[ref] ?? [], narration: media.narrations[ref],
      narrationLength: length.flatMap { $0.isFinite && $0 > 0 && $0 < 1e6 ? $0 : nil })
  }

  // MARK: Reading

  /// Returns what a record says, from the earlier scan or from its files.
  private mutating func content(of entry: ScanEntry) throws(Unreadable) -> Content {
    if let found = earlier[entry.ref], found.entry == entry {
      known[entry.ref] = found
      return found.content
    }
    let (record, sidecar) = try record(entry)
    let content: Content
    switch entry.ref.kind {
    case .heroes:
      let name = Self.title(of: entry, record)
      content = .hero(
        Bookshelf.Hero(
          ref: entry.ref, name: name, sortKey: SortKey.of(name), age: record["age"].integer,
          traits: Self.words(record["traits"]), abilities: Self.words(record["specialAbility"])))
    case .events: content = .event(title: Self.title(of: entry, record))
    default:
      let prose = Prose(record["content"].string ?? "")
      content = .story(
        Self.story(entry, record, sidecar, prose), event: Self.event(of: record),
        isDraft: prose.paragraphs.isEmpty)
    }
    // By a former name, a reference depends on more than the record's own files.
    if entry.digest != nil, entry.outdatedReferences.isEmpty {
      known[entry.ref] = Known(entry: entry, content: content)
    }
    return content
  }

  private func record(
    _ entry: ScanEntry
  ) throws(Unreadable) -> (record: RecordContent, sidecar: Sidecar?) {
    let sidecar = reader.sidecar(of: entry)
    guard entry.state != .unreadable, let record = reader.content(of: entry, sidecar: sidecar)
    else { throw Unreadable() }
    return (record, sidecar)
  }

  /// Returns a story without what other records and files say of it.
  private static func story(
    _ entry: ScanEntry, _ record: RecordContent, _ sidecar: Sidecar?, _ prose: Prose
  ) -> Bookshelf.Story {
    let title = title(of: entry, record)
    return Bookshelf.Story(
      ref: entry.ref, title: title, sortKey: SortKey.of(title),
      language: Language.tag(record["language"].string),
      hero: record["hero"].string.map { RecordRef(kind: .heroes, name: $0) },
      event: eventType(of: record), isFavorite: record["isFavorite"].bool ?? false,
      readings: max(0, record["playCount"].integer ?? 0),
      day: Day(sidecar?.server["createdAt"]?.string), minutes: prose.minutes)
  }

  private func complete(
    _ story: Bookshelf.Story, event: RecordRef?, _ media: ShelfMedia
  ) -> Bookshelf.Story {
    var story = story
    if let event { story.event = events[event] }
    story.picture = media.scenes[story.ref]?.first?.asset
    return story
  }

  /// Returns the name or title, or the record's name if it has none that can be seen.
  private static func title(of entry: ScanEntry, _ content: RecordContent) -> String {
    let title = content.title ?? ""
    let isVisible = title.unicodeScalars.contains {
      !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
        && MarkupWriter.isAllowed($0)
    }
    return isVisible ? title : Path.name(entry.ref.name)
  }

  private static func event(of record: RecordContent) -> RecordRef? {
    record["event"].string.map { RecordRef(kind: .events, name: $0) }
  }

  /// Returns the name of a story's built-in event.
  private static func eventType(of record: RecordContent) -> String? {
    guard let type = record["eventType"].string, Schema.eventTypes.contains(type) else {
      return nil
    }
    // `rainyDay` is a rainy day.
    let words = type.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// Returns the strings of an array, or the one string.
  private static func words(_ value: JSONValue) -> [String] {
    value.string.map { [$0] } ?? (value.array ?? []).compactMap(\.string)
  }
}

/// The languages of stories.
package enum Language {
  /// Returns a tag as in BCP 47, or `nil` for text that is not one.
  static func tag(_ text: String?) -> String? {
    guard let text, text.utf8.count <= 35 else { return nil }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, (2...3).contains(first.count),
      first.utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) }),
      parts.dropFirst().allSatisfy({ part in
        (1...8).contains(part.count)
          && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      })
    else { return nil }
    return text
  }

  private static let names = [
    "en": "English", "fr": "French", "es": "Spanish", "de": "German", "it": "Italian",
  ]

  /// Returns the English name of a language, or its tag.
  package static func name(_ tag: String) -> String { names[tag] ?? tag }
}
