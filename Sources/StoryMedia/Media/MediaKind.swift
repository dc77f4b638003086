public import StoryLibrary

/// A kind of file that a server makes for a record.
public enum MediaKind: String, Sendable, Hashable, CaseIterable {
  /// Pictures of heroes.
  case avatars
  /// Narrations of stories.
  case audio
  /// Pictures of scenes.
  case illustrations

  /// The kind of record that has such files.
  public var recordKind: EntityKind {
    switch self {
    case .avatars: .heroes
    case .audio: .stories
    case .illustrations: .illustrations
    }
  }

  /// The noun for one file, such as `avatar`.
  public var noun: String {
    switch self {
    case .avatars: "avatar"
    case .audio: "narration"
    case .illustrations: "illustration"
    }
  }

  var member: String {
    switch self {
    case .avatars: "avatarUrl"
    case .audio: "audioUrl"
    case .illustrations: "imageUrl"
    }
  }

  /// The members that change when a file is replaced.
  var versionMembers: [String] {
    switch self {
    case .avatars: ["avatarUrl", "avatarGenerationId"]
    case .audio: ["audioUrl", "audioDuration"]
    case .illustrations: ["imageUrl"]
    }
  }

  var typePrefix: String { self == .audio ? "audio/" : "image/" }
}
