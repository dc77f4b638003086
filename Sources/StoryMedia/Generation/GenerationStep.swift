public import StoryAPI
public import StoryLibrary

/// What is under way while the server makes something.
public enum GenerationStep: Sendable, Hashable {
  /// A record that the server does not have, or not as it is here, is sent first.
  case pushing(RecordRef)
  /// The server was asked and is at work.
  case working
  /// The answer was lost, and the server is looked at to see what became of the request.
  case lookingUp
  /// The record is here: written for a new story.
  case recorded(RecordRef)
  /// How far the narration is.
  case audio(AudioAnswer)
  /// How far the pictures are.
  case pictures(IllustrationProgress)
  /// It has ended.
  case finished(GenerationResult)
}
