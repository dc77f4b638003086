import Synchronization

/// How far the fetching of files is.
public struct MediaProgress: Sendable, Hashable {
  /// How many files are done, whether they could be fetched or not.
  public var filesDone = 0
  /// How many there are to fetch.
  public var filesTotal = 0
  /// How many bytes came in this run.
  public var bytes = 0
  /// How many bytes are left of the files whose length is known by now.
  public var bytesLeft = 0
  /// How many bytes a second come; `nil` in the first moments.
  public var speed: Double?

  /// How long the bytes that are left take at this speed; `nil` where nobody can say.
  public var timeLeft: Duration? {
    guard let speed, speed > 0, bytesLeft > 0 else { return nil }
    return .seconds(Double(bytesLeft) / speed)
  }
}
