/// Why a request gets no success, in the terms of the contract; a dialect gives it its shape.
struct APIFailure: Error, Equatable {
  /// The HTTP status.
  var status: Int
  /// A word for programs.
  var code: String
  /// A sentence for people.
  var message: String
  /// What is wrong with which field.
  var details: [Detail] = []
  /// The current record, where a precondition failed.
  var current: [UInt8]?
  /// Header fields besides those of every answer.
  var headers: [HTTPHeader] = []

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

  /// 400 with what is wrong per field.
  static func validation(_ details: [(String, String)]) -> APIFailure {
    let sentences = details.map { "\($0.0) \($0.1)" }.joined(separator: "; ")
    var failure = APIFailure(400, "validation", "The request is not valid: \(sentences).")
    failure.details = details.map { Detail(field: $0.0, message: $0.1) }
    return failure
  }

  /// 400 without a field that is to blame.
  static func badRequest(_ code: String, _ message: String) -> APIFailure {
    APIFailure(400, code, message)
  }

  /// 401; RFC 9110 section 15.5.2 wants the challenge.
  static func unauthorized(
    _ message: String = "Sign in first.", code: String = "unauthorized"
  ) -> APIFailure {
    APIFailure(401, code, message, headers: [HTTPHeader("WWW-Authenticate", "Bearer")])
  }

  /// 401 for a token of no session.
  static let sessionOver = APIFailure.unauthorized("The session is over or unknown.")

  /// 413 for a body of more bytes than are taken.
  static func bodyTooLarge(limit: Int) -> APIFailure {
    APIFailure(413, "bodyTooLarge", "The body is over \(limit) bytes.")
  }

  /// 404 for a path.
  static let noSuchPath = APIFailure(404, "notFound", "There is nothing at this path.")

  /// 404 for a record, whether it never was, was deleted or is another account's.
  static func noSuchRecord(_ kind: RecordKind) -> APIFailure {
    APIFailure(404, "notFound", "There is no such \(kind.noun).")
  }

  /// 412 with the record as it is.
  static func preconditionFailed(current: [UInt8]) -> APIFailure {
    var failure = APIFailure(
      412, "preconditionFailed", "The record has changed since the version in If-Match.")
    failure.current = current
    return failure
  }

  /// 422 for a key that was used for something else.
  static let keyReused = APIFailure(
    422, "idempotencyKeyReused", "This Idempotency-Key was used for another request.")

  /// 500 for a log that cannot be written or flushed; nothing was acknowledged.
  static let storage = APIFailure(
    500, "storage", "The server cannot write to its data folder.")
}
