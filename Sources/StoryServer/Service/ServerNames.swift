/// The host names and origins that a server accepts.
///
/// A web page may resolve its own name to this machine and read the answers (DNS rebinding), or
/// send requests whose answers it cannot read (CSRF). Checking `Host` stops the first, checking
/// `Origin` the second.
struct ServerNames: Sendable {
  /// Accepted hosts besides this machine's and the address of the connection.
  private let hosts: Set<String>
  private let origins: Set<HTTPOrigin>

  init(_ options: ServerOptions) {
    origins = Set(options.publicURLs.compactMap { HTTPOrigin($0) })
    hosts = Set(origins.map(\.host) + [options.host.lowercased()])
  }

  /// Whether a proxy passes requests on to this server.
  var hasPublicURL: Bool { !origins.isEmpty }

  /// Checks the host that a request names. HTTP/1.0 requests, which no browser sends, may have no
  /// `Host`.
  ///
  /// - Throws: `APIFailure` with status 421.
  func checkHost(_ request: ServerRequest) throws(APIFailure) {
    guard let text = request.headers["host"] else { return }
    if let authority = HTTPAuthority(text) {
      if authority.isLoopback || hosts.contains(authority.host) { return }
      if authority.host == request.localAddress { return }
    }
    throw APIFailure(
      421, "unknownHost",
      "This server does not answer to the name “\(text.prefix(100))”; add it as a public URL.")
  }

  /// Checks that a request that changes something does not come from a page of another origin.
  ///
  /// - Parameter isRequired: Whether the request must have an `Origin`.
  /// - Throws: `APIFailure` with status 403.
  func checkOrigin(_ request: ServerRequest, isRequired: Bool) throws(APIFailure) {
    guard let text = request.headers["origin"] else {
      if isRequired { throw Self.invalidOrigin }
      return
    }
    guard let origin = HTTPOrigin(text) else { throw Self.invalidOrigin }
    if origins.contains(origin) { return }
    // If the public URL uses https, the same host over http is a different origin.
    let isPublic = origins.contains { $0.host == origin.host }
    guard !isPublic, origin == HTTPOrigin(request.origin) else { throw Self.invalidOrigin }
  }

  private static let invalidOrigin = APIFailure(
    403, "invalidOrigin", "Missing or invalid Origin")
}
