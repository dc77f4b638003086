public import StoryAPI
public import StoryLibrary

/// The result of a request.
public struct GenerationResult: Sendable, Hashable {
  /// The record, which is a new one for a story.
  public var ref: RecordRef
  /// Whether it already existed, so that nothing was requested.
  public var existed = false
  /// Whether the server reports that it made a placeholder because it has no engine.
  public var isPlaceholder = false
  /// The state of the narration, or `nil` if none was requested.
  public var audio: AudioAnswer?
  /// The progress of the pictures, or `nil` if none were requested.
  public var pictures: IllustrationProgress?
  /// Whether the server was still working when the time limit was reached.
  public var isStillUnderWay = false

  /// Creates the result for a record.
  public init(ref: RecordRef) { self.ref = ref }

  /// Whether any part of it failed.
  public var hasFailed: Bool {
    if let audio, audio.state == .failed { return true }
    guard let pictures else { return false }
    return pictures.state == .failed || pictures.state == .partial || pictures.failed > 0
  }
}
