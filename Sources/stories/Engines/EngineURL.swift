import StoryAPI

/// The address of an engine: `https://host/v1`, the base of `chat/completions` and the like.
struct EngineURL: Sendable, Equatable {
  /// Scheme, host and port, to which the key belongs.
  let address: ServerAddress
  /// The path after the host, with a leading slash and no trailing one; may be empty.
  let path: String

  /// Parses an address; an endpoint's address is shortened to its base.
  ///
  /// - Parameter server: parses an origin and refuses one that must not be connected to.
  /// - Throws: `ServerAddress.Problem`, and what `server` throws.
  init(_ text: String, _ server: (String) throws -> ServerAddress) throws {
    let parts = text.split(separator: "/", omittingEmptySubsequences: true)
    guard parts.count > 1, !text.contains("?"), !text.contains("#"),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw ServerAddress.Problem.path(text) }
    address = try server("\(parts[0])//\(parts[1])")
    var segments = parts.dropFirst(2).map(String.init)
    for tail in ["chat/completions", "images/generations", "audio/speech"] {
      let words = tail.split(separator: "/").map(String.init)
      if segments.suffix(words.count) == words[...] { segments.removeLast(words.count) }
    }
    path = segments.map { "/" + $0 }.joined()
  }

  /// The address as stored and shown.
  var text: String { address.origin + path }
}
