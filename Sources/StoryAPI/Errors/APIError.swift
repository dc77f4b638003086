public import StoryLibrary

/// The reason that a request to the server failed, in terms that a caller can act on.
public enum APIError: Error, Sendable, Hashable {
  /// The reason that the server does not accept the caller's identity.
  public enum Unauthorized: Sendable, Hashable {
    /// There is no session for this server.
    case notSignedIn
    /// Email and password do not match.
    case wrongPassword
    /// The session has ended and could not be renewed.
    case sessionExpired
    /// The server does not accept a token that a person obtained elsewhere, such as one in the environment.
    case tokenRefused
    /// The session starts in the future by the server's clock, as far as it is known.
    case sessionNotYetValid
  }

  /// A field that the server refused.
  public struct FieldProblem: Sendable, Hashable {
    /// The field's name on the wire.
    public let field: String
    /// The server's unmodified message about it.
    public let message: String

    /// Creates a field problem.
    public init(field: String, message: String) {
      self.field = field
      self.message = message
    }
  }

  /// Something that a server does not support.
  public enum Unsupported: Sendable, Hashable {
    /// The server keeps records and makes nothing: no stories, no pictures, no narrations.
    case generation
    /// The server makes no accounts; whoever runs it gives out tokens.
    case accounts
    /// The account has no name that could be changed.
    case profile
    /// The address names no bucket, and the server has none of each account's own.
    case noBucket(server: String)
    /// The server takes no writes at present.
    case writing(server: String)
    /// The server speaks another dialect than the configured one.
    case dialect(server: String, speaks: Dialect, wanted: Dialect)
    /// The server at this address is not a story server.
    case otherServer(String)
    /// Listing illustrations other than by their story.
    case allIllustrations
    /// Counting this many readings, each of which is a request.
    case manyReadings
    /// Reporting the remaining usage.
    case usage(server: String)
  }

  /// 401, or there is no session to send.
  case unauthorized(Unauthorized)
  /// 403: it belongs to another account or is not allowed.
  case forbidden(message: String?)
  /// 403, where the server has a name for what the account may not do.
  case lacksRight(AccessRight)
  /// 404.
  case notFound
  /// 404: what holds records of this kind does not exist, which says nothing about a record.
  case noCollection(EntityKind?)
  /// 409: it already exists or conflicts with something that does.
  case conflict(message: String?)
  /// 412: the record is not what the write was based on. `current` is what it is, if the server
  /// sent it.
  case preconditionFailed(current: RemoteRecord?)
  /// 429. `until` is the time to try again by this machine's clock, if the server sent it.
  case rateLimited(until: ServerDate?)
  /// 400 or 422: the server does not accept these values.
  case validation(message: String?, fields: [FieldProblem])
  /// 413: the request is too large for the server.
  case tooLarge
  /// 424: the server's engine for writing, drawing or reading aloud made nothing. `reason` is a
  /// word for programs, if the server sent it.
  case notMade(reason: String?, message: String?)
  /// Any other failure status.
  case server(status: Int, message: String?)
  /// No complete response arrived.
  case network(NetworkFailure)
  /// The response does not match the contract: the problem and its place (method, path, place in
  /// the body).
  case decoding(AnswerProblem, where: String)
  /// The list of a kind cannot be trusted.
  case list(EntityKind, ListProblem)
  /// The server speaks another dialect than the one in which its records were listed.
  case dialectChanged
  /// The server created the record with this id but did not return its contents.
  case unconfirmed(id: String)
  /// An id that is invalid in URLs.
  case invalidIdentifier(String)
  /// The server does not support this.
  case unsupported(Unsupported)
  /// The cache was requested but has no response.
  case notCached
  /// The session could not be read, stored or removed.
  case tokenStore(TokenStoreError)
  /// The time limit of the whole run is over.
  case deadlineExceeded
  /// The task was cancelled.
  case cancelled

  init(_ error: TransportError) {
    switch error {
    case .cancelled: self = .cancelled
    case .network(let failure): self = .network(failure)
    }
  }

  func about(_ write: RemoteWrite, _ dialect: Dialect) -> APIError {
    guard case .preconditionFailed(let current?) = self,
      current.id != write.id ?? dialect.newID(write)
    else { return self }
    return .preconditionFailed(current: nil)
  }
}
