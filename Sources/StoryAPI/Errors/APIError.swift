public import StoryLibrary

/// Why the server did not do what was asked, as far as a caller can act on it.
public enum APIError: Error, Sendable, Hashable {
  /// Why the server does not know who asks.
  public enum Unauthorized: Sendable, Hashable {
    /// There is no session for this server.
    case notSignedIn
    /// Email and password do not belong together.
    case wrongPassword
    /// There was a session, but it is over and could not be renewed.
    case sessionExpired
    /// The session starts in the future by the server's clock, as far as that is known.
    case sessionNotYetValid
  }

  /// One field that the server refused, and why.
  public struct FieldProblem: Sendable, Hashable {
    /// The field's name on the wire.
    public let field: String
    /// What the server says about it, as it came.
    public let message: String

    /// A field and what is wrong with it.
    public init(field: String, message: String) {
      self.field = field
      self.message = message
    }
  }

  /// What a server has no way to do.
  public enum Unsupported: Sendable, Hashable {
    /// The server speaks another dialect than the one that is set.
    case dialect(server: String, speaks: Dialect, wanted: Dialect)
    /// What answers there is no server of stories.
    case otherServer(String)
    /// Listing illustrations other than by their story.
    case allIllustrations
    /// Creating records of this kind in batches.
    case batch
    /// Counting so many readings, each of which is a request.
    case manyReadings
    /// Telling how much of the server's work is left.
    case usage(server: String)
  }

  /// 401, or no session to send.
  case unauthorized(Unauthorized)
  /// 403: another account's, or not allowed.
  case forbidden(message: String?)
  /// 404.
  case notFound
  /// 409: it exists already, or stands against something that does.
  case conflict(message: String?)
  /// 412: the record is no longer what the write was based on. `current` is what it is now, where
  /// the server told.
  case preconditionFailed(current: RemoteRecord?)
  /// 429. `until` is when to come back, by this machine's clock, where the server told.
  case rateLimited(until: ServerDate?)
  /// 400 or 422: the server does not take these values.
  case validation(message: String?, fields: [FieldProblem])
  /// 413: more than the server takes at once.
  case tooLarge
  /// 424: what the server asks to write, draw or read aloud made nothing; `reason` is one word for
  /// programs, if the server says it.
  case notMade(reason: String?, message: String?)
  /// Any other status that is no success.
  case server(status: Int, message: String?)
  /// No whole answer came.
  case network(NetworkFailure)
  /// An answer came that is not what the contract says: what is wrong, and where (method, path and
  /// the place within the body).
  case decoding(what: String, where: String)
  /// The server made the record with this id, and then did not answer what is in it.
  case unconfirmed(id: String)
  /// An id that no URL can hold.
  case invalidIdentifier(String)
  /// The server has no way to do this.
  case unsupported(Unsupported)
  /// Only what is held was asked for, and nothing is.
  case notCached
  /// The session could not be read, stored or removed.
  case tokenStore(TokenStoreError)
  /// The time set for the whole run is over.
  case deadlineExceeded
  /// The task was cancelled.
  case cancelled
}

extension APIError {
  /// The error as the answer to a write: a record that came with it counts only if it is the one that
  /// the write is for.
  func about(_ write: RemoteWrite) -> APIError {
    guard case .preconditionFailed(let current?) = self, current.id != write.id else { return self }
    return .preconditionFailed(current: nil)
  }
}
