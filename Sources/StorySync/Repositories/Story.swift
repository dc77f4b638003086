import JSONText
public import StoryLibrary

/// A story.
public struct Story: LibraryRecord {
  /// Stories.
  public static let kind = EntityKind.stories
  /// The record as it is stored.
  public var stored: StoredRecord

  /// Creates a story from a stored record.
  public init(_ stored: StoredRecord) { self.stored = stored }

  /// Creates a new story; `hero` is a name like ``hero``, `folder` a folder below `stories/`.
  public init(title: String, hero: String, content: String, folder: String = "") {
    let lines = RecordFile.lines(of: content)
    let members: JSONObject = [
      "title": .string(title), "hero": .string(hero),
      "content": .array(lines.map { .string($0) }),
    ]
    stored = StoredRecord(new: .stories, members: members, folder: folder)
  }

  /// The title.
  public var title: String {
    get { stored.text("title") }
    set { stored.set("title", newValue) }
  }

  /// The name of the hero, its path below `heroes/`.
  public var hero: String {
    get { stored.text("hero") }
    set { stored.set("hero", newValue) }
  }

  /// The text; paragraphs and empty lines are joined by line feeds.
  public var content: String {
    get { stored.longText("content") }
    set { stored.set("content", RecordFile.lines(of: newValue)) }
  }

  /// The language code, such as `en`.
  public var language: String {
    get { stored.members["language"]?.string ?? "en" }
    set { stored.set("language", newValue) }
  }

  /// Whether it is a favorite.
  public var isFavorite: Bool {
    get { stored.members["isFavorite"]?.bool ?? false }
    set { stored.members["isFavorite"] = .bool(newValue) }
  }
}
