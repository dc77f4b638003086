import JSONText
import StoryLibrary

/// Reads heroes and stories as pages show them, whatever their files hold.
struct ShelfReader: Sendable {
  private let reader: RecordReader
  private let scan: Scan
  private var events: [RecordRef: String] = [:]

  init(_ library: Library, _ scan: Scan) {
    reader = RecordReader(library: library, references: scan.references)
    self.scan = scan
    for entry in scan.entries where entry.ref.kind == .events && entry.digest != nil {
      if let (record, _) = record(entry) { events[entry.ref] = Self.title(of: entry, record) }
    }
  }

  /// Returns a hero, or `nil` if its files cannot be read.
  func hero(_ entry: ScanEntry, _ media: ShelfMedia) -> Bookshelf.Hero? {
    guard let (record, _) = record(entry) else { return nil }
    let name = Self.title(of: entry, record)
    return Bookshelf.Hero(
      ref: entry.ref, name: name, sortKey: SortKey.of(name), age: record["age"].integer,
      traits: Self.words(record["traits"]), abilities: Self.words(record["specialAbility"]),
      avatar: media.avatars[entry.ref])
  }

  /// Returns a story, or `nil` if its files cannot be read.
  func story(_ entry: ScanEntry, _ media: ShelfMedia) -> StoryContent? {
    guard let (record, sidecar) = record(entry) else { return nil }
    let title = Self.title(of: entry, record)
    let prose = Prose(record["content"].string ?? "")
    let scenes = media.scenes[entry.ref] ?? []
    let event = record["event"].string.map { events[RecordRef(kind: .events, name: $0)] }
    let story = Bookshelf.Story(
      ref: entry.ref, title: title, sortKey: SortKey.of(title),
      language: Language.tag(record["language"].string),
      hero: record["hero"].string.map { RecordRef(kind: .heroes, name: $0) },
      event: event ?? Self.eventType(of: record), isFavorite: record["isFavorite"].bool ?? false,
      readings: max(0, record["playCount"].integer ?? 0),
      day: Day(sidecar?.server["createdAt"]?.string), minutes: prose.minutes,
      picture: scenes.first?.asset)
    var length: Double?
    if case .number(let number)? = sidecar?.server["audioDuration"] { length = number.double }
    return StoryContent(
      story: story, prose: prose, scenes: scenes, narration: media.narrations[entry.ref],
      narrationLength: length.flatMap { $0.isFinite && $0 > 0 && $0 < 1e6 ? $0 : nil })
  }

  func story(_ ref: RecordRef, _ media: ShelfMedia) -> StoryContent? {
    scan.entry(ref).flatMap { story($0, media) }
  }

  private func record(_ entry: ScanEntry) -> (record: RecordContent, sidecar: Sidecar?)? {
    let sidecar = reader.sidecar(of: entry)
    guard entry.state != .unreadable, let record = reader.content(of: entry, sidecar: sidecar)
    else { return nil }
    return (record, sidecar)
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
