public import StoryAPI
public import StoryLibrary

/// A step while the server makes something.
public enum GenerationStep: Sendable, Hashable {
  /// Sending a record that the server lacks or has in an older version.
  case pushing(RecordRef)
  /// The server has received the request and is working.
  case working
  /// The response was lost, and the server is queried for the result.
  case lookingUp
  /// A new story was written to this record.
  case recorded(RecordRef)
  /// The state of the narration.
  case audio(AudioAnswer)
  /// The progress of the pictures.
  case pictures(IllustrationProgress)
  /// The end.
  case finished(GenerationResult)
}
