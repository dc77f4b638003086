public import StoryLibrary

/// A kind of file that a server makes for a record.
public enum MediaKind: String, Sendable, Hashable, CaseIterable, Comparable {
  /// Pictures of heroes.
  case avatars
  /// Narrations of stories.
  case audio
  /// Pictures of scenes.
  case illustrations

  /// The kind of the records that have such files.
  public var recordKind: EntityKind {
    switch self {
    case .avatars: .heroes
    case .audio: .stories
    case .illustrations: .illustrations
    }
  }

  /// The word for one file: `avatar`.
  public var noun: String {
    switch self {
    case .avatars: "avatar"
    case .audio: "narration"
    case .illustrations: "illustration"
    }
  }

  /// The member of a record that says where its file is.
  var member: String {
    switch self {
    case .avatars: "avatarUrl"
    case .audio: "audioUrl"
    case .illustrations: "imageUrl"
    }
  }

  /// The members that change where another file takes the place of one.
  var versionMembers: [String] {
    switch self {
    case .avatars: ["avatarUrl", "avatarGenerationId"]
    case .audio: ["audioUrl", "audioDuration"]
    case .illustrations: ["imageUrl"]
    }
  }

  /// What the content type of such a file begins with.
  var typePrefix: String { self == .audio ? "audio/" : "image/" }

  /// Orders as `allCases`.
  public static func < (lhs: MediaKind, rhs: MediaKind) -> Bool {
    allCases.firstIndex(of: lhs) ?? 0 < allCases.firstIndex(of: rhs) ?? 0
  }
}
