import JSONText
public import StoryLibrary

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
