/// What carries requests, so that tests and other networks can stand in.
public protocol Transport: Sendable {
  /// Sends one request once and gives the whole answer, whatever its status.
  ///
  /// Cancelling the task ends the request at once.
  /// - Throws: `TransportError.cancelled` where the task was cancelled, `TransportError.network`
  ///   where no whole answer came.
  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse

  /// Does the same, but hands the body over as it comes where `sink` wants that; it is empty in the
  /// answer then.
  ///
  /// - Throws: as ``send(_:)``; `TransportError.cancelled` also where the sink ends the request.
  func send(
    _ request: HTTPRequest, into sink: any BodySink
  ) async throws(TransportError) -> HTTPResponse
}

/// Takes the body of an answer piece by piece, so that no more of it is in memory than is under way.
///
/// The calls for one request come one after the other, from whatever thread.
public protocol BodySink: Sendable {
  /// Told the head of an answer; the body is still empty.
  ///
  /// - Returns: whether the body is to come here; otherwise it is collected in the answer.
  func begin(_ head: HTTPResponse) -> Bool

  /// Takes the next bytes. They are valid during the call.
  ///
  /// - Returns: whether more is wanted; `false` ends the request.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool
}

extension Transport {
  /// For a transport that has whole answers only: the body is handed over in one piece.
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

/// Why a request has no answer.
public enum TransportError: Error, Sendable, Equatable {
  /// The task that asked was cancelled.
  case cancelled
  /// The network or a rule about it stood in the way.
  case network(NetworkFailure)
}
