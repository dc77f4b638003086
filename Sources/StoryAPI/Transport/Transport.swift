/// What carries requests: one method, so that tests and other networks can stand in.
public protocol Transport: Sendable {
  /// Sends one request once and gives the whole answer, whatever its status.
  ///
  /// Cancelling the task ends the request at once.
  /// - Throws: `TransportError.cancelled` where the task was cancelled, `TransportError.network`
  ///   where no whole answer came.
  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}

/// Why a request has no answer.
public enum TransportError: Error, Sendable, Equatable {
  /// The task that asked was cancelled.
  case cancelled
  /// The network or a rule about it stood in the way.
  case network(NetworkFailure)
}
