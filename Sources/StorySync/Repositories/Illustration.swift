import JSONText
public import StoryLibrary

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
