import JSONText

/// The form that the contract takes on the wire: paths, envelopes, errors, and the fields that a
/// client may write.
///
/// Everything that differs between dialects is in this protocol. A server speaks one dialect.
protocol Dialect: Sendable {
  // MARK: Requests

  /// Returns the endpoint of a path, or `nil` if the dialect does not have it.
  func endpoint(_ segments: [String]) -> Endpoint?

  func features(_ wanted: Set<ServerFeature>) -> Set<ServerFeature>

  /// Returns whether a request must have an `Origin` that shows it comes from the server's own
  /// pages.
  func needsOrigin(_ endpoint: Endpoint) -> Bool

  /// Parses the parameters of a list request.
  ///
  /// - Throws: `APIFailure` with status 400 naming the invalid parameter.
  func query(
    _ parameters: [HTTPTarget.Parameter], of kind: RecordKind, features: Set<ServerFeature>
  ) throws(APIFailure) -> ListQuery

  // MARK: Accounts

  /// Whether using a session extends it to its full lifetime. Otherwise clients refresh sessions.
  var extendsSessions: Bool { get }

  /// Whether an account must be created with a name.
  var requiresName: Bool { get }

  /// Returns the answer to a sign-in, or to a sign-up if the account is new.
  func signedIn(_ session: IssuedSession, user: [UInt8], isNew: Bool) -> ServerResponse

  func refreshed(_ session: IssuedSession) -> [UInt8]

  /// Returns the answer to a request for the session of a token. `session` is `nil` if it has
  /// ended.
  func session(_ session: (token: String, expiresAt: String)?, user: [UInt8]) -> [UInt8]

  // MARK: Records

  var rules: RecordRules { get }

  /// Whether the server writes every story posted to the plain route, even one with content.
  var writesEveryStory: Bool { get }

  func newID(_ random: () -> UInt64) -> String

  /// Converts a record from its stored form to the form shown to clients.
  func shown(_ record: [UInt8], of kind: RecordKind, _ media: MediaLinks) -> [UInt8]

  /// Whether media URLs are signed and fetched without a session. Otherwise they are plain paths,
  /// fetched with a session.
  var signsMedia: Bool { get }

  // MARK: Answers

  /// Returns the answer with one record or other object, given as JSON.
  func record(_ data: [UInt8]) -> [UInt8]

  func list(_ page: Store.Page, of kind: RecordKind, query: ListQuery, hasCursor: Bool) -> [UInt8]

  /// Returns the answer to a batch, with results in the order of its operations.
  func batch(_ results: [Result<RecordOperation.Outcome, APIFailure>]) -> [UInt8]

  /// Returns the answer to a batch of new records, in their order.
  func creations(_ results: [CreatedItem]) -> [UInt8]

  /// Returns the failure for a record that an account does not have.
  ///
  /// - Parameter isForeign: Whether the record belongs to another account.
  func missing(_ kind: RecordKind, isForeign: Bool) -> APIFailure

  /// Returns the answer for a failure. `endpoint` is `nil` if it is not known.
  func failure(_ failure: APIFailure, at endpoint: Endpoint?) -> ServerResponse

  /// Returns the answer that describes the server.
  ///
  /// - Parameter now: The server's clock, in milliseconds.
  func health(version: String, features: Set<ServerFeature>, now: Int64) -> [UInt8]
}

extension Dialect {
  /// Returns an account's public data as JSON.
  func user(_ account: LogEntry.AccountEntry) -> [UInt8] {
    let user: JSONValue = [
      "id": .string(account.id), "email": .string(account.email),
      "name": account.name.map { .string($0) } ?? JSONValue.null,
      "createdAt": .string(account.createdAt),
    ]
    return user.compactBytes
  }
}

/// The result for one element of a batch of new records.
struct CreatedItem: Sendable {
  /// The id that the client uses.
  var localID: String?
  /// The record's name or title, for messages.
  var title: String?
  /// The server's id, or the failure.
  var id: Result<String, APIFailure>
}
