import StoryAPI
import StoryLibrary

extension APIError {
  /// The error as a sentence for people. Text from the server in it is escaped and bounded.
  var message: String { message(at: nil) }

  /// The same with the server's address and the number of the try, if the network failed.
  func message(at reach: Reach?) -> String {
    switch self {
    case .unauthorized(.notSignedIn): "Sign in first: stories sign-in"
    case .unauthorized(.wrongPassword): "Invalid email or password"
    case .unauthorized(.sessionExpired): "Session expired, please sign in again"
    case .unauthorized(.tokenRefused): "The server does not accept the token"
    case .unauthorized(.sessionNotYetValid): "The session is not valid yet, so it was not sent."
    case .forbidden(let text): Self.sentence("The server does not allow this", text)
    case .lacksRight(let right): right.message
    case .notFound: "The server has no such record."
    case .noCollection(let kind?): "The server has no collection “\(kind.rawValue)”."
    case .noCollection(nil): "The server has no such bucket."
    case .conflict(let text?) where !text.isEmpty: Self.sentence(nil, text)
    case .conflict: "This conflicts with something on the server."
    case .preconditionFailed: "The record was changed on the server in the meantime."
    case .rateLimited(let until):
      until.map { "Too many requests; the server takes more from \($0.wire)." }
        ?? "Too many requests."
    case .validation(let text, let fields):
      Self.sentence("The server refused the values", Self.explanation(text, fields))
    case .tooLarge: "The request is too large for the server."
    case .notMade(_, let text): Self.sentence("Nothing was made", text)
    case .server(let status, let text): Self.sentence("The server answered \(status)", text)
    case .network(let failure): failure.message(at: reach)
    case .decoding(let problem, let place):
      "The server's answer cannot be used: \(ServerText.shown(problem.message))"
        + " (\(ServerText.shown(place)))."
    case .list(let kind, let problem):
      "The server's answer cannot be used: \(problem.message) (the list of \(kind.rawValue))."
    case .dialectChanged: "The server now speaks another dialect than when its records were listed."
    case .unconfirmed: "The server created the record, but it could not be read back."
    case .invalidIdentifier(let id): "“\(ServerText.shown(id))” cannot be the id of a record."
    case .unsupported(let what): what.message
    case .notCached: "No earlier answer is stored on this machine."
    case .tokenStore(let error): error.message
    case .deadlineExceeded: "The run reached its time limit."
    case .cancelled: "Interrupted."
    }
  }

  /// The advice as a sentence, or `nil` if the message is enough.
  var suggestion: String? {
    switch self {
    case .unauthorized(.notSignedIn), .cancelled: nil
    case .unauthorized(.wrongPassword): "Try again, or create an account: stories sign-up"
    case .unauthorized(.sessionExpired): "stories sign-in"
    case .unauthorized(.tokenRefused):
      "Use a valid one. If it is in STORIES_TOKEN, unset that to sign in: stories sign-in"
    case .unauthorized(.sessionNotYetValid): "Check this machine's clock, or sign in again."
    case .forbidden: "Check which account is signed in: stories whoami"
    case .lacksRight:
      "Check with which account you are signed in (stories whoami), or ask whoever runs the server"
        + " for the right."
    case .notFound: "See what the server has: stories status --remote"
    case .noCollection:
      "Was the server restored or emptied? Look at it before you go on: stories doctor"
    case .conflict, .preconditionFailed: "Pull the server's changes: stories sync pull"
    case .rateLimited: "Wait, then run the same command again."
    case .validation: "Correct the file, then push again; stories check finds most of these."
    case .notMade: "Run the same command again."
    case .tooLarge: "Split the record, or shorten its text."
    case .server(421, _):
      "Use another address of this server, or start it with: stories serve --public-url URL"
    case .server(let status, _):
      status >= 500
        ? "The problem is on the server; nothing was changed locally. Try again later."
        : "Check the server's address and version: stories doctor"
    case .network(let failure): failure.suggestion
    case .decoding, .list: "Check that the address is that of a stories server: stories doctor"
    case .unconfirmed: "Pull the server's changes: stories sync pull"
    case .invalidIdentifier, .unsupported: "See what the server can do: stories doctor"
    case .dialectChanged: "Run the same command again."
    case .notCached: "Ask again when the server can be reached."
    case .tokenStore(let error): error.suggestion
    case .deadlineExceeded: "Run the same command again to continue."
    }
  }

  private static func sentence(_ start: String?, _ text: String?) -> String {
    guard let text, !text.isEmpty else { return (start ?? "") + "." }
    let shown = ServerText.shown(text)
    return (start.map { $0 + ": " } ?? "") + shown + (".!?…".contains(shown.last ?? " ") ? "" : ".")
  }

  private static func explanation(_ text: String?, _ fields: [FieldProblem]) -> String? {
    guard !fields.isEmpty else { return text }
    return fields.map { $0.field.isEmpty ? $0.message : "\($0.field): \($0.message)" }
      .joined(separator: "; ")
  }
}

extension AnswerProblem {
  /// The problem in words, without the place.
  var message: String {
    switch self {
    case .emptyBody: "an empty body"
    case .webPage: "a web page instead of JSON"
    case .notJSON(let diagnosis): "no JSON: \(diagnosis)"
    case .errorInSuccess(let status, let text): "status \(status) with an error in it: \(text)"
    case .mismatch(let mismatch): mismatch.message
    case .otherRecord(let id): "“\(id)”, which is another record"
    case .otherHero: "another hero's picture"
    case .unknownStatus(let word): "“\(word)”, which is not a known status"
    case .noNextPage: "no link to the next page, though there should be more records"
    case .noTotal: "no number in the header Total-Objects"
    case .repeatedID: "the same id twice"
    case .missingResult: "no result for one of the records sent"
    case .resultCount(let results, let writes): "\(results) results for \(writes) writes"
    }
  }
}

extension WireMismatch {
  var message: String {
    switch found {
    case .emptyString, .hugeNumber: found.words
    default: "\(found.words) instead of \(expected.rawValue)"
    }
  }
}

extension WireMismatch.Found {
  fileprivate var words: String {
    switch self {
    case .nothing: "no value"
    case .null: "a null value"
    case .boolean: "true or false"
    case .number: "a number"
    case .hugeNumber: "a number that is too large"
    case .integer(let integer): "\(integer)"
    case .string: "a string"
    case .emptyString: "an empty string"
    case .text(let text): "“\(text)”"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension ListProblem {
  fileprivate var message: String {
    switch self {
    case .noTotal: "no total"
    case .incomplete: "the pages did not add up to the server's total, three times in a row"
    case .endless: "a page brought nothing new"
    case .overfull: "more rows came than the server's total"
    case .tooLarge(let limit, let isShareOfDisk):
      "it takes more than \(limit >> 20) MiB, "
        + (isShareOfDisk ? "a quarter of the free disk space" : "the most of any list")
    }
  }
}

extension APIError.Unsupported {
  fileprivate var message: String {
    switch self {
    case .dialect(let server, let speaks, let wanted):
      "\(server) speaks the API \(speaks), not \(wanted): set “api” to “\(speaks)” or “auto”."
    case .generation:
      "This server stores records and makes nothing: no stories, pictures or narrations. The embedded"
        + " server, `stories serve` and the InfiniteStories service do."
    case .accounts:
      "This server creates no accounts. Whoever runs it gives you a name and password"
        + " (stories sign-in --user NAME) or a token (stories sign-in --token-stdin)."
    case .profile: "An account on this server has no name that could be changed."
    case .noBucket(let server):
      "\(server) has no bucket for each account: name one, as in \(server)/buckets/family."
    case .writing(let server): "\(server) is read-only at present."
    case .otherServer(let server): "\(server) does not answer as a stories server does."
    case .allIllustrations: "Illustrations are listed by their story only."
    case .manyReadings:
      "This server counts one reading per request, and there are too many to send."
    case .usage(let server): "\(server) does not report usage."
    }
  }
}

extension AccessRight {
  /// That an account lacks the right, as a sentence.
  fileprivate var message: String {
    switch (name, kind) {
    case ("bucket:create", _):
      "The bucket does not exist or is not shared with this account, which may not create it either"
        + " (right “bucket:create”)."
    case (_, let kind?):
      "This account lacks the right “\(name)” on the collection “\(kind.rawValue)”, or its bucket does"
        + " not exist."
    case (_, nil): "This account lacks the right “\(name)” on the bucket."
    }
  }
}

extension NetworkFailure {
  var message: String { message(at: nil) }

  /// The failure as a sentence, with the server's address and the number of the try if known.
  func message(at reach: Reach?) -> String {
    let server = reach.map { ServerText.shown(Redaction.url($0.server)) } ?? "the server"
    let tries = reach?.tries ?? ""
    return switch self {
    case .refused: "Cannot reach \(server): connection refused\(tries)."
    case .unknownHost: "Cannot reach \(server): unknown host\(tries)."
    case .offline: "Cannot reach \(server): no network\(tries)."
    case .timedOut where reach != nil: "No answer from \(server) in time\(tries)."
    case .other(let why): "Cannot reach \(server): \(ServerText.shown(why))\(tries)"
    case .timedOut: "The server did not answer in time."
    case .tooSlow(let limit):
      "\(Self.subject(server)) sent too little of its answer in \(limit.components.seconds)"
        + " seconds."
    case .headTooSlow(let limit):
      "\(Self.subject(server)) did not begin its answer within \(limit.components.seconds) to"
        + " \(2 * limit.components.seconds) seconds."
    case .connectionLost: "The connection to \(server) was lost\(tries)."
    case .truncated: "The connection to \(server) was lost during an answer\(tries)."
    case .insecure(let why):
      "No secure connection to \(server)"
        + (why.isEmpty ? "." : ": \(ServerText.shown(why))")
    case .notHTTP: "What answers at \(reach == nil ? "the server's address" : server) is not HTTP."
    case .pinNotCheckable:
      "A key is pinned for this server, and this system cannot check it, so nothing was sent."
    case .pinMismatch: "The server's key is not the one that is pinned, so nothing was sent."
    case .redirectRefused(let target):
      "\(Self.subject(server)) redirects to \(ServerText.shown(target)), which is not followed."
    case .redirectLoop: "\(Self.subject(server)) redirects in a loop."
    case .answerTooLarge(let limit): "The answer is larger than \(limit >> 20) MiB."
    }
  }

  /// A server's name at the start of a sentence: addresses stay as they are.
  private static func subject(_ server: String) -> String {
    server == "the server" ? "The server" : server
  }

  /// The advice as a sentence, or `nil` if the message is enough.
  var suggestion: String? {
    switch self {
    case .refused, .unknownHost, .notHTTP:
      "Check the address (stories remote show), and that the server is running."
    case .offline, .timedOut, .connectionLost, .truncated, .other:
      "Nothing is lost; run the same command again later."
    case .insecure: "Check the server's certificate and this machine's clock."
    case .pinNotCheckable, .pinMismatch: "Check pinnedKeys in your configuration."
    case .redirectRefused: "If the server has moved: stories remote set URL"
    case .redirectLoop, .answerTooLarge, .tooSlow, .headTooSlow:
      "Check the server, or the proxy in front of it."
    }
  }
}

extension TokenStoreError {
  var message: String {
    switch self {
    case .openToOthers(let path): "Others can read or change \(ServerText.shown(path))."
    case .damaged(let path, let why):
      "\(ServerText.shown(path)) is damaged: \(ServerText.shown(why))."
    case .system(let path, let why): "\(ServerText.shown(path)): \(ServerText.shown(why))."
    case .readOnly: "A token from the environment is not stored."
    case .helper(let why): "The credential helper failed: \(ServerText.shown(why))."
    case .notKept(let why): "The session was not kept: \(ServerText.shown(why))."
    }
  }

  /// The advice, or `nil` if the message is enough.
  var suggestion: String? {
    switch self {
    case .openToOthers(let path):
      "Restrict it to yourself: chmod go-rwx '\(ServerText.shown(path))'"
    case .damaged: "Move the file away and sign in again: stories sign-in"
    case .notKept: "Name a helper: git config --global credential.helper store"
    case .system, .readOnly, .helper: nil
    }
  }
}
