import JSONText

/// A failed request in the terms of the contract. The dialect gives it its form on the wire.
package struct APIFailure: Error, Equatable {
  /// The HTTP status.
  package var status: Int
  var code: String
  /// A sentence for people.
  package var message: String
  var details: [Detail] = []
  var current: [UInt8]?
  /// Additional header fields.
  package var headers: [HTTPHeader] = []

  struct Detail: Equatable {
    var field: String
    var message: String
  }

  init(_ status: Int, _ code: String, _ message: String, headers: [HTTPHeader] = []) {
    self.status = status
    self.code = code
    self.message = message
    self.headers = headers
  }

  /// Status 400 with validation errors by field.
  static func validation(_ details: [(String, String)]) -> APIFailure {
    let sentences = details.map { "\($0.0) \($0.1)" }.joined(separator: "; ")
    var failure = APIFailure(400, "validation", "The request is not valid: \(sentences).")
    failure.details = details.map { Detail(field: $0.0, message: $0.1) }
    return failure
  }

  /// Status 400 for an error that concerns no single field.
  static func badRequest(_ code: String, _ message: String) -> APIFailure {
    APIFailure(400, code, message)
  }

  /// Status 401, with the challenge that RFC 9110 section 15.5.2 requires.
  static func unauthorized(
    _ message: String = "Sign in first.", code: String = "unauthorized"
  ) -> APIFailure {
    APIFailure(401, code, message, headers: [HTTPHeader("WWW-Authenticate", "Bearer")])
  }

  static let sessionOver = APIFailure.unauthorized("The session has ended or is unknown.")

  static func bodyTooLarge(limit: Int) -> APIFailure {
    APIFailure(413, "bodyTooLarge", "The body is over \(limit) bytes.")
  }

  static let noSuchPath = APIFailure(404, "notFound", "There is nothing at this path.")

  /// Status 404 for a record that never existed, was deleted, or belongs to another account.
  static func noSuchRecord(_ kind: RecordKind) -> APIFailure {
    APIFailure(404, "notFound", "There is no such \(kind.noun).")
  }

  static func preconditionFailed(current: [UInt8]) -> APIFailure {
    var failure = APIFailure(
      412, "preconditionFailed", "The record has changed since the version in If-Match.")
    failure.current = current
    return failure
  }

  /// Status 422 for a key that was used for a different request.
  static let keyReused = APIFailure(
    422, "idempotencyKeyReused", "This Idempotency-Key was used for another request.")

  /// Status 500 if the log cannot be written or flushed. Nothing has been acknowledged.
  static let storage = APIFailure(
    500, "storage", "The server cannot write to its data folder.")

  /// Status 424 for an engine that made nothing, or 503 if the server is being stopped.
  static func engine(_ error: EngineError) -> APIFailure {
    // RFC 4918, section 11.4: a dependency of the request failed. Clients do not retry this
    // automatically.
    error == .cancelled
      ? APIFailure(503, error.code, "The server is being stopped.")
      : APIFailure(424, error.code, error.message)
  }

  /// Whether an engine was cancelled because the server is being stopped.
  var isCancellation: Bool { code == EngineError.cancelled.code }
}

/// Parses a record that the server has written.
func parsed(_ record: [UInt8]) throws(APIFailure) -> JSONNode {
  do throws(JSONSyntaxError) {
    return try JSONDocument(parsing: record).root
  } catch {
    throw .storage
  }
}

/// Runs a step of the store, turning its error into an answer.
func stored<Result>(
  _ step: @autoclosure () throws(StoryServerError) -> Result
) throws(APIFailure) -> Result {
  do throws(StoryServerError) { return try step() } catch { throw .storage }
}
