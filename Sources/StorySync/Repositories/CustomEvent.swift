import JSONText
public import StoryLibrary

/// An event that people made up.
public struct CustomEvent: LibraryRecord {
  /// Custom events.
  public static let kind = EntityKind.events
  /// The record as it is stored.
  public var stored: StoredRecord

  /// Takes a stored event.
  public init(_ stored: StoredRecord) { self.stored = stored }

  /// A new event; `folder` is one below `events/`.
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

  /// What a story about it should make of it.
  public var promptSeed: String {
    get { stored.text("promptSeed") }
    set { stored.set("promptSeed", newValue) }
  }

  /// Words that belong to it.
  public var keywords: [String] {
    get { stored.list("keywords") }
    set { stored.set("keywords", newValue) }
  }
}
