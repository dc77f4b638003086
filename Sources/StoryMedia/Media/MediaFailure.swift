/// Why files could not be fetched, if neither the server nor the network is to blame.
public enum MediaFailure: Error, Sendable, Hashable {
  /// Another process fetches or prunes.
  case locked
  /// The server has no such file any more, or only at an address that is not fetched from: neither
  /// https nor the server's own.
  case noAddress
  /// The server tells where the file is, and does not give it from there.
  case refused
  /// The file is something else than it should be: the content type that came instead.
  case wrongType(String)
  /// An answer is not what was asked for; the text says how.
  case wrongAnswer(String)
  /// The file is larger than any that is fetched, in bytes.
  case tooLarge(limit: Int)
}
