/// Sends requests. Tests and other networks can provide their own transports.
public protocol Transport: Sendable {
  /// Sends a request once and returns the complete response, whatever its status.
  ///
  /// Cancelling the task ends the request at once.
  /// - Throws: `TransportError.cancelled` if the task was cancelled, `TransportError.network` if no
  ///   complete response arrived.
  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse

  /// Does the same, but passes the body to `sink` as it arrives if the sink accepts it. The
  /// response's body is empty in that case.
  ///
  /// - Throws: The errors of ``send(_:)``; `TransportError.cancelled` also if the sink ends it.
  func send(
    _ request: HTTPRequest, into sink: any BodySink
  ) async throws(TransportError) -> HTTPResponse
}

/// Receives a response body in chunks, so that only a small part of it is in memory.
///
/// The calls for one request are sequential, on any thread.
public protocol BodySink: Sendable {
  /// Receives the head of a response, whose body is still empty.
  ///
  /// - Returns: Whether to receive the body here; otherwise it is collected in the response.
  func begin(_ head: HTTPResponse) -> Bool

  /// Receives the next bytes, which are valid only during the call.
  ///
  /// - Returns: Whether to continue; `false` ends the request.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool
}

extension Transport {
  /// The default for transports with complete responses only: passes the body in one chunk.
  public func send(
    _ request: HTTPRequest, into sink: any BodySink
  ) async throws(TransportError) -> HTTPResponse {
    var response = try await send(request)
    let body = response.body
    response.body = []
    guard sink.begin(response) else {
      response.body = body
      return response
    }
    guard body.withUnsafeBytes({ sink.take($0) }) else { throw .cancelled }
    return response
  }
}

/// The reason that a request has no response.
public enum TransportError: Error, Sendable, Equatable {
  /// The calling task was cancelled.
  case cancelled
  /// The network or a security rule prevented the request.
  case network(NetworkFailure)
}
