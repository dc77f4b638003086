import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension TransportError {
  /// Converts an error of URLSession; `hasAnswer` is whether a response had begun.
  init(_ error: any Error, hasAnswer: Bool) {
    let broken = hasAnswer ? NetworkFailure.truncated : .connectionLost
    guard let error = error as? URLError else {
      self = .network(.other(ServerText.shown("\(error)")))
      return
    }
    let text = error.localizedDescription
    switch error.code {
    case .cancelled: self = .cancelled
    case .cannotConnectToHost: self = .network(.refused)
    case .cannotFindHost, .dnsLookupFailed: self = .network(.unknownHost)
    case .notConnectedToInternet: self = .network(.offline)
    case .timedOut: self = .network(.timedOut)
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected:
      self = .network(.insecure(text))
    // Linux has no codes for these: only libcurl's text distinguishes them.
    case .unknown where !hasAnswer && Self.isHandshake(text): self = .network(.insecure(text))
    case .unsupportedURL where text.contains("HTTP/0.9"): self = .network(.notHTTP)
    // Linux reports truncated bodies and some broken connections as unknown.
    case .networkConnectionLost, .unknown: self = .network(broken)
    case .badServerResponse where text.contains("Empty reply"): self = .network(broken)
    case .badServerResponse, .cannotParseResponse: self = .network(.notHTTP)
    default: self = .network(.other(text))
    }
  }

  /// Returns whether libcurl's text is about a failed TLS handshake, as opposed to a connection
  /// that broke later, when the request may have arrived.
  private static func isHandshake(_ text: String) -> Bool {
    guard !text.contains("SSL_read"), !text.contains("SSL_write") else { return false }
    return text.contains("certificate") || text.contains("SSL routines")
      || text.contains("SSL connect") || text.contains("unsafe legacy")
  }
}
