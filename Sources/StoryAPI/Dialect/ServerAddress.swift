/// Where a server is: an origin without path, over https, or over plain http where that is safe or
/// was allowed.
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
    /// Something follows the host: a path, a query or a fragment. Tokens belong to an origin, so a
    /// server has one of its own.
    case path(String)
    /// Plain http to another machine, which was not allowed: anyone on the way can read it.
    case plainHTTP(origin: String)
  }

  let webOrigin: WebOrigin

  /// Reads an address.
  ///
  /// - Parameters:
  ///   - text: `https://` or `http://`, a host, and maybe a port and a slash.
  ///   - allowsPlainHTTP: whether this user allowed `http` to this origin. Without it only loopback
  ///     may be spoken to in the clear.
  /// - Throws: `Problem`, a case for each thing that can be wrong.
  public init(_ text: String, allowsPlainHTTP: Bool = false) throws(Problem) {
    do {
      let (origin, rest) = try WebOrigin.split(text)
      guard rest.isEmpty || rest == "/" else { throw Problem.path(text) }
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
  /// The address as it is shown and stored; the same as ``origin``.
  public var text: String { webOrigin.text }
  /// Whether requests are encrypted.
  public var isSecure: Bool { webOrigin.isSecure }
  /// Whether the server is on this machine.
  public var isLoopback: Bool { webOrigin.isLoopback }
  /// The host, an IPv6 address in brackets.
  public var host: String { webOrigin.host }
  /// The port.
  public var port: Int { webOrigin.port }
  /// ``origin``.
  public var description: String { webOrigin.text }
}
