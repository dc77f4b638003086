/// The address of a server: an origin, with https, or with plain http if that is safe or allowed.
/// For Kinto it includes the path of the API, optionally with a bucket.
public struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
  /// The reason why a text is not an acceptable address.
  public enum Problem: Error, Sendable, Equatable {
    /// The text does not start with `https://` or `http://`.
    case scheme(String)
    /// The address has a user name or password. Such secrets belong in a token store.
    case userInfo
    /// The host is missing or has invalid characters. A name in another script must be given in its
    /// ASCII form (`xn--…`).
    case host(String)
    /// The port is not a number from 1 to 65535.
    case port(String)
    /// The host is followed by a path other than a Kinto server's, a query or a fragment.
    case path(String)
    /// Plain http to another machine was not allowed. Anyone on the way could read it.
    case plainHTTP(origin: String)
  }

  let webOrigin: WebOrigin
  /// The text after the host, without a trailing slash: empty, `/v1`, or `/v1/buckets/family`,
  /// possibly after a proxy's own path.
  public let path: String
  /// The path of Kinto's API, such as `/v1`.
  let service: String
  /// The bucket in ``path``, or `nil`.
  let bucket: String?

  /// Parses an address.
  ///
  /// - Parameters:
  ///   - text: `https://` or `http://`, a host, and optionally a port and a slash. For Kinto also
  ///     `/v1`, or `/v1/buckets/` and a bucket's name.
  ///   - allowsPlainHTTP: Whether the user has allowed `http` for this origin. Otherwise only
  ///     loopback addresses may use it.
  /// - Throws: `Problem`, with the reason.
  public init(_ text: String, allowsPlainHTTP: Bool = false) throws(Problem) {
    let rest: Substring
    (webOrigin, rest) = try WebOrigin.split(text)
    guard let place = Self.place(rest) else { throw .path(text) }
    (path, service, bucket) = place
    guard webOrigin.isSecure || webOrigin.isLoopback || allowsPlainHTTP else {
      throw .plainHTTP(origin: webOrigin.text)
    }
  }

  /// The normalized origin: scheme and host in lowercase, no default port, no trailing slash.
  /// Tokens are stored under it.
  public var origin: String { webOrigin.text }
  /// The address as shown and stored: ``origin`` and ``path``.
  public var text: String { webOrigin.text + path }
  /// Whether requests are encrypted.
  public var isSecure: Bool { webOrigin.isSecure }
  /// Whether the server is on this machine.
  public var isLoopback: Bool { webOrigin.isLoopback }
  /// The host. An IPv6 address is in brackets.
  public var host: String { webOrigin.host }
  /// The port.
  public var port: Int { webOrigin.port }
  /// The same as ``text``.
  public var description: String { text }

  private static func place(
    _ rest: Substring
  ) -> (path: String, service: String, bucket: String?)? {
    if rest.isEmpty || rest == "/" { return ("", "/v1", nil) }
    var segments = rest.dropFirst().split(separator: "/", omittingEmptySubsequences: false)[...]
    if segments.last?.isEmpty == true { segments.removeLast() }
    guard rest.hasPrefix("/"), segments.allSatisfy({ isName($0) }) else { return nil }
    var bucket: String?
    if let name = segments.last, segments.dropLast().last == "buckets" {
      bucket = String(name)
      segments.removeLast(2)
    }
    guard segments.last == "v1" else { return nil }
    let service = "/" + segments.joined(separator: "/")
    return (service + (bucket.map { "/buckets/" + $0 } ?? ""), service, bucket)
  }

  /// Returns whether a text is a valid id in Kinto: letters, digits, `-` and `_`.
  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8.contains($0)
      }
  }

  func path(of root: Endpoint.Root) -> String {
    switch root {
    case .origin: ""
    case .service: service
    case .bucket: service + bucketPath
    }
  }

  /// The path of the bucket below ``service``, or of the account's own bucket if the address names
  /// none.
  var bucketPath: String { "/buckets/" + (bucket ?? "default") }

  func target(of endpoint: Endpoint) -> String { path(of: endpoint.root) + endpoint.target }
}
