import JSONText
public import StoryLibrary

/// A hero.
public struct Hero: LibraryRecord {
  /// Heroes.
  public static let kind = EntityKind.heroes
  /// The record as it is stored.
  public var stored: StoredRecord

  /// Creates a hero from a stored record.
  public init(_ stored: StoredRecord) { self.stored = stored }

  /// Creates a new hero; `folder` is a folder below `heroes/`.
  public init(name: String, age: Int, traits: [String], folder: String = "") {
    let members: JSONObject = [
      "name": .string(name), "age": .number(age),
      "traits": .array(traits.map { .string($0) }),
    ]
    stored = StoredRecord(new: .heroes, members: members, folder: folder)
  }

  /// The hero's name.
  public var name: String {
    get { stored.text("name") }
    set { stored.set("name", newValue) }
  }

  /// The hero's age in years.
  public var age: Int {
    get { stored.members["age"]?.integer ?? 0 }
    set { stored.members["age"] = .number(newValue) }
  }

  /// The hero's traits.
  public var traits: [String] {
    get { stored.list("traits") }
    set { stored.set("traits", newValue) }
  }

  /// The hero's special ability, or `nil`. Several are one text, separated by commas, and stay
  /// several unless the text is changed.
  public var specialAbility: String? {
    get {
      let value = stored.members["specialAbility"]
      return value?.string ?? value?.strings?.joined(separator: ", ")
    }
    set {
      if newValue == nil || newValue != specialAbility { stored.set("specialAbility", newValue) }
    }
  }

  /// Whether the server has an avatar of the hero.
  public var hasAvatar: Bool { stored.server["avatarUrl"]?.string?.isEmpty == false }
}

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

  /// The text; paragraphs and empty lines are joined by line feeds. Its form in the file, an array of
  /// lines or one string, stays.
  public var content: String {
    get { stored.longText("content") }
    set { Self.kind.schema.apply(["content": .string(newValue)], to: &stored.members) }
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

/// A custom event.
public struct CustomEvent: LibraryRecord {
  /// Custom events.
  public static let kind = EntityKind.events
  /// The record as it is stored.
  public var stored: StoredRecord

  /// Creates a custom event from a stored record.
  public init(_ stored: StoredRecord) { self.stored = stored }

  /// Creates a new event; `folder` is a folder below `events/`.
  public init(title: String, promptSeed: String, folder: String = "") {
    stored = StoredRecord(
      new: .events, members: ["title": .string(title), "promptSeed": .string(promptSeed)],
      folder: folder)
  }

  /// The title.
  public var title: String {
    get { stored.text("title") }
    set { stored.set("title", newValue) }
  }

  /// The prompt for stories about it.
  public var promptSeed: String {
    get { stored.text("promptSeed") }
    set { stored.set("promptSeed", newValue) }
  }

  /// The keywords.
  public var keywords: [String] {
    get { stored.list("keywords") }
    set { stored.set("keywords", newValue) }
  }
}

/// An illustration of a story's scene; created by the server, read-only.
public struct Illustration: LibraryRecord {
  /// Illustrations.
  public static let kind = EntityKind.illustrations
  /// The record as it is stored.
  public var stored: StoredRecord

  /// Creates an illustration from a stored record.
  public init(_ stored: StoredRecord) { self.stored = stored }

  /// The description of the scene.
  public var scene: String { stored.text("scene") }
  /// The server's position of the illustration in its story.
  public var order: Int { stored.members["order"]?.integer ?? 0 }
  /// The server's status, such as `completed`.
  public var status: String { stored.text("status") }
  /// The server's id of its story.
  public var storyID: String? { stored.server["storyId"]?.string }
}
