import Synchronization

/// The progress of fetching files.
public struct MediaProgress: Sendable, Hashable {
  /// The number of files that were fetched or have failed.
  public var filesDone = 0
  /// The number of files to fetch.
  public var filesTotal = 0
  /// The number of bytes received in this run.
  public var bytes = 0
  /// The number of bytes remaining in the files whose length is known.
  public var bytesLeft = 0
  /// The speed in bytes per second, or `nil` initially.
  public var speed: Double?

  /// The time remaining at the current speed, or `nil` if it is unknown.
  public var timeLeft: Duration? {
    guard let speed, speed > 0, bytesLeft > 0 else { return nil }
    return .seconds(Double(bytesLeft) / speed)
  }
}
