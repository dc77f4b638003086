import JSONText
public import StoryLibrary

/// A picture of a scene of a story; made by the server, read-only.
public struct Illustration: LibraryRecord {
  /// Illustrations.
  public static let kind = EntityKind.illustrations
  /// The record as it is stored.
  public var stored: StoredRecord

  /// Takes a stored illustration.
  public init(_ stored: StoredRecord) { self.stored = stored }

  /// What the picture shows.
  public var scene: String { stored.text("scene") }
  /// Its place in the story, as the server counts.
  public var order: Int { stored.members["order"]?.integer ?? 0 }
  /// How far it is, in the server's word: `completed`.
  public var status: String { stored.text("status") }
  /// The server's id of its story.
  public var storyID: String? { stored.server["storyId"]?.string }
}
