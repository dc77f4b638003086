public import StoryLibrary

/// A kind of file that a server makes for a record.
public enum MediaKind: String, Sendable, Hashable, CaseIterable {
  /// Pictures of heroes.
  case avatars
  /// Narrations of stories.
  case audio
  /// Pictures of scenes.
  case illustrations

  private var row: (record: EntityKind, noun: String, members: [String]) {
    switch self {
    case .avatars: (.heroes, "avatar", ["avatarUrl", "avatarGenerationId"])
    case .audio: (.stories, "narration", ["audioUrl", "audioDuration"])
    case .illustrations: (.illustrations, "illustration", ["imageUrl"])
    }
  }

  /// The kind of record that has such files.
  public var recordKind: EntityKind { row.record }

  /// The noun for one file, such as `avatar`.
  public var noun: String { row.noun }

  /// The member with the file's address.
  var member: String { row.members[0] }

  /// The members that change when a file is replaced.
  var versionMembers: [String] { row.members }

  var typePrefix: String { self == .audio ? "audio/" : "image/" }
}
