/// The reason that files could not be fetched, other than errors of the server or the network.
public enum MediaFailure: Error, Sendable, Hashable {
  /// Another process is fetching or pruning.
  case locked
  /// The server no longer has the file, or its address is neither https nor on the server itself.
  case noAddress
  /// The server gives an address for the file but refuses to serve it.
  case refused
  /// The file has the wrong content type, which is given.
  case wrongType(String)
  /// A response does not match the request; the text explains why.
  case wrongAnswer(String)
  /// The file exceeds the maximum size in bytes.
  case tooLarge(limit: Int)
}
