/// The names under which a server answers.
///
/// A page in somebody's browser may let its own name point to this machine and then read what is
/// answered (DNS rebinding), or send requests here whose answers it cannot read (CSRF). `Host` stops
/// the first, `Origin` the second.
struct ServerNames: Sendable {
  /// Hosts besides those of this machine and the address of the connection.
  private let hosts: Set<String>
  private let origins: Set<HTTPOrigin>

  init(_ options: ServerOptions) {
    origins = Set(options.publicURLs.compactMap { HTTPOrigin($0) })
    hosts = Set(origins.map(\.host) + [options.host.lowercased()])
  }

  /// Whether somebody else passes requests on to this server.
  var hasPublicURL: Bool { !origins.isEmpty }

  /// Checks that a request names this server. HTTP/1.0, which no browser speaks, may name none.
  ///
  /// - Throws: `APIFailure` 421.
  func checkHost(_ request: HTTPRequest) throws(APIFailure) {
    guard let text = request.headers["host"] else { return }
    if let authority = HTTPAuthority(text) {
      if authority.isLoopback || hosts.contains(authority.host) { return }
      if authority.host == request.localAddress { return }
    }
    throw APIFailure(
      421, "unknownHost",
      "This server does not answer to the name “\(text.prefix(100))”; add it as a public URL.")
  }

  /// Checks that a request that changes something comes from no page of another origin.
  ///
  /// - Parameter isRequired: whether the request must say where it comes from.
  /// - Throws: `APIFailure` 403.
  func checkOrigin(_ request: HTTPRequest, isRequired: Bool) throws(APIFailure) {
    guard let text = request.headers["origin"] else {
      if isRequired { throw Self.invalidOrigin }
      return
    }
    guard let origin = HTTPOrigin(text) else { throw Self.invalidOrigin }
    if origins.contains(origin) { return }
    // A page over http is another one than that of the public URL over https.
    let isPublic = origins.contains { $0.host == origin.host }
    guard !isPublic, origin == HTTPOrigin(request.origin) else { throw Self.invalidOrigin }
  }

  private static let invalidOrigin = APIFailure(
    403, "invalidOrigin", "Missing or invalid Origin")
}
