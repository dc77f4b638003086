/// Where a server is: an origin, over https, or over plain http where that is safe or was allowed, and
/// for Kinto the path of its API, which may go on to a bucket.
public struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
  /// Why a text is no address that this program connects to.
  public enum Problem: Error, Sendable, Equatable {
    /// The text does not start with `https://` or `http://`.
    case scheme(String)
    /// A user name or password stands in the address; such things belong into a token store.
    case userInfo
    /// The host is missing or has characters that a host name cannot have. A name in another script
    /// is written in its ASCII form (`xn--…`).
    case host(String)
    /// The port is not a number from 1 to 65535.
    case port(String)
    /// Something follows the host that is neither a slash nor the path of a Kinto server: another
    /// path, a query or a fragment.
    case path(String)
    /// Plain http to another machine, which was not allowed: anyone on the way can read it.
    case plainHTTP(origin: String)
  }

  let webOrigin: WebOrigin
  /// What follows the host, without a slash at its end: empty, `/v1`, or `/v1/buckets/family`; a proxy
  /// may put more in front.
  public let path: String
  /// The path of Kinto's API, such as `/v1`.
  let service: String
  /// The bucket that ``path`` names, or `nil`.
  let bucket: String?

  /// Reads an address.
  ///
  /// - Parameters:
  ///   - text: `https://` or `http://`, a host, and maybe a port and a slash; for Kinto also `/v1`, or
  ///     `/v1/buckets/` and a bucket's name.
  ///   - allowsPlainHTTP: whether this user allowed `http` to this origin. Without it only loopback
  ///     may be spoken to in the clear.
  /// - Throws: `Problem`, a case for each thing that can be wrong.
  public init(_ text: String, allowsPlainHTTP: Bool = false) throws(Problem) {
    do {
      let (origin, rest) = try WebOrigin.split(text)
      guard let place = Self.place(rest) else { throw Problem.path(text) }
      (path, service, bucket) = place
      guard origin.isSecure || origin.isLoopback || allowsPlainHTTP else {
        throw Problem.plainHTTP(origin: origin.text)
      }
      webOrigin = origin
    } catch let problem as Problem {
      throw problem
    } catch {
      switch error as? WebOrigin.Problem {
      case .userInfo: throw .userInfo
      case .host: throw .host(text)
      case .port: throw .port(text)
      case .scheme, nil: throw .scheme(text)
      }
    }
  }

  /// The origin in one spelling: scheme and host in lower case, no port where it is the scheme's
  /// own, no slash at the end. Tokens are kept under it.
  public var origin: String { webOrigin.text }
  /// The address as it is shown and stored: ``origin`` and ``path``.
  public var text: String { webOrigin.text + path }
  /// Whether requests are encrypted.
  public var isSecure: Bool { webOrigin.isSecure }
  /// Whether the server is on this machine.
  public var isLoopback: Bool { webOrigin.isLoopback }
  /// The host, an IPv6 address in brackets.
  public var host: String { webOrigin.host }
  /// The port.
  public var port: Int { webOrigin.port }
  /// ``text``.
  public var description: String { text }

  /// Takes apart what follows the host; `nil` if no server is there.
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

  /// Whether a text is what Kinto takes for an id: letters, digits, `-` and `_`.
  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == 0x2D || $0 == 0x5F
      }
  }
}

extension ServerAddress {
  /// The path that an endpoint's path is added to.
  func path(of root: Endpoint.Root) -> String {
    switch root {
    case .origin: ""
    case .service: service
    case .bucket: service + bucketPath
    }
  }

  /// The path of the bucket below ``service``; the account's own one if the address names none.
  var bucketPath: String { "/buckets/" + (bucket ?? "default") }

  /// Path and query of an endpoint as they stand in a request line.
  func target(of endpoint: Endpoint) -> String { path(of: endpoint.root) + endpoint.target }
}
