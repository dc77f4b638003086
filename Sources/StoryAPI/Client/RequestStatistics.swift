/// What a client has sent and received so far.
public struct RequestStatistics: Sendable, Hashable {
  /// Requests sent, each repetition counted.
  public var requests = 0
  /// Bytes of the bodies sent.
  public var bytesUp = 0
  /// Bytes of the bodies received, after undoing compression.
  public var bytesDown = 0

  /// Nothing yet.
  public init() {}
}
