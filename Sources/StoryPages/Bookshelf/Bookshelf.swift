public import StoryLibrary

/// The heroes and stories that pages show, without the texts of the stories.
public struct Bookshelf: Sendable {
  /// A hero.
  public struct Hero: Sendable {
    /// The record.
    public let ref: RecordRef
    /// The name.
    public let name: String
    /// The name for sorting; see ``SortKey``.
    let sortKey: String
    /// The age, if it is a number.
    public let age: Int?
    /// The traits.
    public let traits: [String]
    /// The special abilities.
    public let abilities: [String]
    /// The picture, if it is on this machine.
    public let avatar: Asset?
  }

  /// A story without its text.
  public struct Story: Sendable {
    /// The record.
    public let ref: RecordRef
    /// The title.
    public let title: String
    /// The title for sorting; see ``SortKey``.
    let sortKey: String
    /// The language tag, such as `en`, or `nil` if the record has no valid one.
    public let language: String?
    /// The hero's record, if it is in the library.
    public let hero: RecordRef?
    /// The title of the event, or the name of a built-in one.
    public let event: String?
    /// Whether it is a favorite.
    public let isFavorite: Bool
    /// The number of times that it was read.
    public let readings: Int
    /// The day on which the server created it.
    public let day: Day?
    /// The minutes that it takes to read aloud.
    public let minutes: Int
    /// The first of its pictures, if it is on this machine.
    public let picture: Asset?
  }

  /// The reason that a story is not on the shelf.
  public enum Omission: String, Sendable {
    /// Its file or its sidecar cannot be read.
    case unreadable
    /// It has no text yet.
    case draft
  }

  /// The title for all of it.
  public let title: String
  /// The heroes by name.
  public let heroes: [Hero]
  /// The stories in the library's order.
  public let stories: [Story]
  /// The records that were left out.
  public let omitted: [(ref: RecordRef, reason: Omission)]
  /// The problems of folders and names that may hide more records.
  public let problems: [Problem]
  /// The heroes and stories that are missing on this machine, but were not deleted.
  let awaited: [RecordRef]
  /// The time of the newest version from the server, in seconds since 1970.
  public let newest: Int64?
  /// The lists worth a page of their own, and the list of all stories.
  let lists: Set<StoryList>
  let media: ShelfMedia
  private let reader: ShelfReader
  private let heroesByRef: [RecordRef: Hero]
  private let storyPlaces: [RecordRef: Int]
  private let storiesByHero: [RecordRef?: [Story]]

  /// Reads the records.
  ///
  /// - Parameters:
  ///   - library: The library.
  ///   - scan: A scan of it.
  ///   - refs: The records to show, or `nil` for all. A hero or an event selects its stories.
  ///   - title: The title; `nil` is one made from the heroes.
  ///   - media: The pictures and narrations.
  ///   - progress: Called with the number of records read and their total.
  /// - Throws: Errors of `progress`.
  public init(
    _ library: Library, _ scan: Scan, refs: Set<RecordRef>? = nil, title: String? = nil,
    media: ShelfMedia = ShelfMedia(), progress: (Int, Int) throws -> Void = { _, _ in }
  ) throws {
    reader = ShelfReader(library, scan)
    let chosen = scan.entries.filter { entry in
      entry.ref.kind == .stories && (entry.digest != nil || entry.state == .unreadable)
        && refs.map(entry.isExported) ?? true
    }
    var stories: [Story] = []
    var omitted: [(ref: RecordRef, reason: Omission)] = []
    for (place, entry) in chosen.enumerated() {
      try progress(place, chosen.count)
      guard let content = reader.story(entry, media) else {
        omitted.append((entry.ref, .unreadable))
        continue
      }
      if content.prose.paragraphs.isEmpty {
        omitted.append((entry.ref, .draft))
      } else {
        stories.append(content.story)
      }
    }
    let named = Set(stories.compactMap(\.hero))
    var heroes: [Hero] = []
    for entry in scan.entries where entry.ref.kind == .heroes {
      guard entry.digest != nil || entry.state == .unreadable else { continue }
      guard refs?.contains(entry.ref) ?? true || named.contains(entry.ref) else { continue }
      if let hero = reader.hero(entry, media) {
        heroes.append(hero)
      } else {
        omitted.append((entry.ref, .unreadable))
      }
    }
    heroes.sort { ($0.sortKey, $0.ref) < ($1.sortKey, $1.ref) }
    self.heroes = heroes
    self.stories = stories
    self.omitted = omitted
    problems = scan.hidingProblems
    awaited = scan.awaited
    lists = Self.lists(stories)
    self.media = media
    self.title = title ?? Self.title(heroes)
    let shown = Set(stories.map(\.ref) + heroes.map(\.ref))
    newest = scan.entries.lazy.filter { shown.contains($0.ref) }.compactMap { entry in
      entry.updatedAt.flatMap { UTCTime.read($0)?.seconds }
    }.max()
    heroesByRef = Dictionary(heroes.map { ($0.ref, $0) }) { first, _ in first }
    storyPlaces = Dictionary(stories.enumerated().map { ($1.ref, $0) }) { first, _ in first }
    storiesByHero = Dictionary(grouping: stories, by: \.hero)
  }

  private static func lists(_ stories: [Story]) -> Set<StoryList> {
    var lists: Set<StoryList> = [.all]
    if stories.contains(where: \.isFavorite) { lists.insert(.favorites) }
    if Set(stories.map(\.language)).count > 1 { lists.insert(.languages) }
    if stories.contains(where: { $0.day != nil }) { lists.insert(.dates) }
    return lists
  }

  private static func title(_ heroes: [Hero]) -> String {
    heroes.count == 1 ? "Stories about \(heroes[0].name)" : "Bedtime Stories"
  }

  func hero(of story: Story) -> Hero? { story.hero.flatMap { heroesByRef[$0] } }

  /// The pictures and narrations of what is on the shelf.
  public var assets: [Asset] {
    heroes.compactMap(\.avatar) + stories.flatMap(assets)
  }

  /// Returns the pictures and the narration of a story.
  func assets(of story: Story) -> [Asset] {
    (media.scenes[story.ref] ?? []).map(\.asset) + [media.narrations[story.ref]].compactMap(\.self)
  }

  /// Returns a hero, or `nil` if it is not on the shelf.
  public func hero(_ ref: RecordRef) -> Hero? { heroesByRef[ref] }

  /// Returns a story, or `nil` if it is not on the shelf.
  public func story(_ ref: RecordRef) -> Story? { storyPlaces[ref].map { stories[$0] } }

  /// Returns the stories of a list in its order.
  func stories(in list: StoryList) -> [Story] {
    let byTitle = stories.sorted { ($0.sortKey, $0.ref) < ($1.sortKey, $1.ref) }
    switch list {
    case .all: return byTitle
    case .favorites: return byTitle.filter(\.isFavorite)
    case .languages: return byTitle.sorted { $0.languageName < $1.languageName }
    case .dates:
      // Those without a day come last.
      return byTitle.sorted { left, right in
        guard let day = left.day else { return false }
        return right.day.map { $0 < day } ?? true
      }
    }
  }

  func stories(about hero: RecordRef) -> [Story] { storiesByHero[hero] ?? [] }

  /// Returns the stories before and after one.
  func neighbors(of story: RecordRef) -> (previous: Story?, next: Story?) {
    guard let place = storyPlaces[story] else { return (nil, nil) }
    return (
      place > 0 ? stories[place - 1] : nil,
      place + 1 < stories.count ? stories[place + 1] : nil
    )
  }

  /// Reads the text of a story.
  ///
  /// - Throws: ``ExportError/changed(_:)`` if its file has changed meanwhile and cannot be read.
  func content(of story: Story) throws(ExportError) -> StoryContent {
    guard let content = reader.story(story.ref, media) else { throw .changed(story.ref) }
    return content
  }
}

extension ScanEntry {
  /// Returns whether a record is exported with the chosen ones; a hero or an event stands for its stories.
  package func isExported(with chosen: Set<RecordRef>) -> Bool {
    chosen.contains(ref) || targets.contains(where: chosen.contains)
  }
}

struct StoryContent: Sendable {
  var story: Bookshelf.Story
  var prose: Prose
  var scenes: [ShelfMedia.Scene]
  var narration: Asset?
  /// The narration's length in seconds, if the server gave one.
  var narrationLength: Double?
}

/// The order of names and titles: by letters, without case and accents.
enum SortKey {
  static func of(_ text: String) -> String { Slug.make(text, fallback: "") }

  /// Returns the first letter of a key for a heading, or `…` for other scripts and signs.
  static func initial(_ key: String) -> String {
    guard let first = key.first else { return "…" }
    if first.isASCII, first.isNumber { return "0–9" }
    return first.isASCII ? first.uppercased() : "…"
  }
}
