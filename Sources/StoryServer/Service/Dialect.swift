/// The shape that the contract's data takes on the wire: paths, envelopes, errors.
///
/// What requests mean is the same in every dialect; a server speaks one.
protocol Dialect: Sendable {
  /// What a path stands for; `nil` where it is none of this dialect's.
  func endpoint(_ segments: [String]) -> Endpoint?

  /// A record as a client is shown it, from the form in which it is stored.
  func shown(_ record: [UInt8], of kind: RecordKind, _ media: MediaLinks) -> [UInt8]

  /// Whether URLs of media are signed and fetched without a session; otherwise they are plain paths,
  /// fetched with one.
  var signsMedia: Bool { get }

  /// The answer with one record, or another single object, given as JSON.
  func record(_ data: [UInt8]) -> [UInt8]

  /// The answer with one page of records, given as JSON joined by commas.
  func list(_ page: Store.Page, of kind: RecordKind, query: ListQuery, hasCursor: Bool) -> [UInt8]

  /// The answer to a batch, in the order of its operations.
  func batch(_ results: [RecordOperation.Outcome]) -> [UInt8]

  /// The answer for a failure.
  func failure(_ failure: APIFailure) -> [UInt8]

  /// The answer that tells what the server can do.
  func health(version: String, features: Set<ServerFeature>) -> [UInt8]

  /// A person's account, as JSON.
  func user(_ account: LogEntry.AccountEntry) -> [UInt8]

  /// The answer to someone who signed up or in.
  func signedIn(_ session: IssuedSession, user: [UInt8]) -> [UInt8]

  /// The answer with a refreshed session.
  func refreshed(_ session: IssuedSession) -> [UInt8]
}

extension Dialect {
  /// The address of a file that the server made, from its path.
  func mediaURL(_ path: String, _ media: MediaLinks) -> String {
    signsMedia ? media.signed(path) : path
  }
}
