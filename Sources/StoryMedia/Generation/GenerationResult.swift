public import StoryAPI
public import StoryLibrary

/// How it ended.
public struct GenerationResult: Sendable, Hashable {
  /// The record that it was for; of a story the new one.
  public var ref: RecordRef
  /// Whether it was there before, so that nothing was asked for.
  public var wasThere = false
  /// Whether the server has no engine for it and made a placeholder, as far as it says so.
  public var isPlaceholder = false
  /// How far the narration is; `nil` where none was asked for.
  public var audio: AudioAnswer?
  /// How far the pictures are; `nil` where none were asked for.
  public var pictures: IllustrationProgress?
  /// Whether the server was still at work when the time to wait was over.
  public var isStillUnderWay = false

  /// Something that was made for a record.
  public init(ref: RecordRef) { self.ref = ref }

  /// Whether some of it could not be made.
  public var hasFailed: Bool {
    if let audio, audio.state == .failed { return true }
    guard let pictures else { return false }
    return pictures.state == .failed || pictures.state == .partial || pictures.failed > 0
  }
}
