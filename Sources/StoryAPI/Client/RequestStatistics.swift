/// The totals of data that a client has sent and received.
public struct RequestStatistics: Sendable, Hashable {
  /// The number of requests, including repetitions.
  public var requests = 0
  /// The number of body bytes sent.
  public var bytesUp = 0
  /// The number of body bytes received, after decompression.
  public var bytesDown = 0

  /// Creates empty totals.
  public init() {}
}
