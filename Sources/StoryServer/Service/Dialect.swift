import JSONText

/// The form that the contract takes on the wire: paths, envelopes, errors, and what a client may
/// write into a record.
///
/// All that differs between two forms is asked of this; a server speaks one.
protocol Dialect: Sendable {
  // MARK: Requests

  /// The endpoint of a path, or `nil` if this dialect does not have it.
  func endpoint(_ segments: [String]) -> Endpoint?

  /// The features that it has, of those that are wanted.
  func features(_ wanted: Set<ServerFeature>) -> Set<ServerFeature>

  /// Whether a request must say with `Origin` that it comes from this server's own pages.
  func needsOrigin(_ endpoint: Endpoint) -> Bool

  /// What a list request asks for.
  ///
  /// - Throws: `APIFailure` 400 that names the wrong parameter.
  func query(
    _ parameters: [HTTPTarget.Parameter], of kind: RecordKind, features: Set<ServerFeature>
  ) throws(APIFailure) -> ListQuery

  // MARK: Accounts

  /// Whether a session that is used lasts its whole time anew; otherwise it is refreshed.
  var extendsSessions: Bool { get }

  /// Whether an account has a name from the start.
  var requiresName: Bool { get }

  /// The answer to someone who signed in, or up where the account is new.
  func signedIn(_ session: IssuedSession, user: [UInt8], isNew: Bool) -> HTTPResponse

  /// The answer with a refreshed session.
  func refreshed(_ session: IssuedSession) -> [UInt8]

  /// The answer to someone who asks for the session of a token; `nil` where it is over.
  func session(_ session: (token: String, expiresAt: String)?, user: [UInt8]) -> [UInt8]

  // MARK: Records

  /// What a client may write into records.
  var rules: RecordRules { get }

  /// Whether the plain route for a new story has the server write it, whatever is sent.
  var writesEveryStory: Bool { get }

  /// An id that nothing has.
  func newID(_ random: () -> UInt64) -> String

  /// A record as a client is shown it, from the form in which it is stored.
  func shown(_ record: [UInt8], of kind: RecordKind, _ media: MediaLinks) -> [UInt8]

  /// Whether URLs of media are signed and fetched without a session; otherwise they are plain paths,
  /// fetched with one.
  var signsMedia: Bool { get }

  // MARK: Answers

  /// The answer with one record, or another single object, given as JSON.
  func record(_ data: [UInt8]) -> [UInt8]

  /// The answer with one page of records, given as JSON joined by commas.
  func list(_ page: Store.Page, of kind: RecordKind, query: ListQuery, hasCursor: Bool) -> [UInt8]

  /// The answer to a batch, in the order of its operations.
  func batch(_ results: [RecordOperation.Outcome]) -> [UInt8]

  /// The answer to a batch of new records, in their order.
  func creations(_ results: [CreatedItem]) -> [UInt8]

  /// The failure where an account has no such record.
  ///
  /// - Parameter isForeign: whether another account has it.
  func missing(_ kind: RecordKind, isForeign: Bool) -> APIFailure

  /// The answer for a failure; `endpoint` is `nil` where the path says nothing.
  func failure(_ failure: APIFailure, at endpoint: Endpoint?) -> HTTPResponse

  /// The answer that tells what the server can do.
  ///
  /// - Parameter now: the server's clock, in milliseconds.
  func health(version: String, features: Set<ServerFeature>, now: Int64) -> [UInt8]
}

extension Dialect {
  /// A person's account, as JSON.
  func user(_ account: LogEntry.AccountEntry) -> [UInt8] {
    let user: JSONValue = [
      "id": .string(account.id), "email": .string(account.email),
      "name": account.name.map { .string($0) } ?? JSONValue.null,
      "createdAt": .string(account.createdAt),
    ]
    return user.compactBytes
  }
}

/// What became of one element of a batch of new records.
struct CreatedItem: Sendable {
  /// What the client calls it.
  var localID: String?
  /// Its name or title, for messages.
  var title: String?
  /// The server's id.
  var id: Result<String, APIFailure>
}
