import StoryAPI
import StoryLibrary
import Testing

@testable import stories

@Suite struct APIErrorWordsTests {
  @Test func `the server's words are escaped and bounded in messages`() {
    let error = APIError.server(
      status: 500, message: "a\u{1B}[31mred\u{7}\nnext\u{202E}" + String(repeating: "x", count: 999)
    )
    #expect(
      error.message.hasPrefix(#"The server answered 500: a\u{1b}[31mred\u{7}\nnext\u{202e}xx"#))
    #expect(error.message.hasSuffix("…"))
    #expect(error.message.count < 400)
    #expect(APIError.conflict(message: "Taken").message == "Taken.")
    #expect(APIError.conflict(message: "").message == APIError.conflict(message: nil).message)
    #expect(APIError.cancelled.message == "Interrupted.")
    let fields = APIError.validation(
      message: "m",
      fields: [.init(field: "age", message: "3 to 12"), .init(field: "", message: "x")])
    #expect(fields.message == "The server refused the values: age: 3 to 12; x.")
  }

  @Test func `the sentences that people look for`() {
    #expect(APIError.unauthorized(.notSignedIn).message == "Sign in first: stories sign-in")
    #expect(APIError.unauthorized(.wrongPassword).message == "Invalid email or password")
    #expect(
      APIError.unauthorized(.sessionExpired).message == "Session expired, please sign in again")
    #expect(
      APIError.network(.refused).message == "Cannot reach the server: connection refused.")
  }

  /// With the server's address and the number of the try, whatever went wrong.
  @Test(
    arguments: [
      (.refused, "Cannot reach http://a:1: connection refused (try 2 of 4)."),
      (.unknownHost, "Cannot reach http://a:1: unknown host (try 2 of 4)."),
      (.offline, "Cannot reach http://a:1: no network (try 2 of 4)."),
      (.timedOut, "No answer from http://a:1 in time (try 2 of 4)."),
      (.connectionLost, "The connection to http://a:1 was lost (try 2 of 4)."),
      (.truncated, "The connection to http://a:1 was lost during an answer (try 2 of 4)."),
      // These are not tried again.
      (
        .headTooSlow(limit: .seconds(5)),
        "http://a:1 did not begin its answer within 5 to 10 seconds."
      ),
      (.tooSlow(limit: .seconds(5)), "http://a:1 sent too little of its answer in 5 seconds."),
      (
        .insecure("certificate has expired"),
        "No secure connection to http://a:1: certificate has expired"
      ),
      (.notHTTP, "What answers at http://a:1 is not HTTP."),
      (.redirectLoop, "http://a:1 redirects in a loop."),
    ] as [(NetworkFailure, String)])
  func `a failure names the server`(failure: NetworkFailure, message: String) {
    let reach = Reach(server: "http://a:1", attempt: 2, attempts: 4)
    #expect(failure.message(at: reach) == message)
  }

  @Test(
    arguments: [
      (
        .decoding(
          .mismatch(WireMismatch(.wholeNumber, found: .string)), where: "GET /api/heroes, data.age"),
        "a string instead of a whole number (GET /api/heroes, data.age)."
      ),
      (
        .decoding(.mismatch(WireMismatch(.date, found: .text("soon"))), where: "GET /a"),
        "“soon” instead of a date (GET /a)."
      ),
      (
        .decoding(.mismatch(WireMismatch(.string, found: .emptyString)), where: "GET /a"),
        "an empty string (GET /a)."
      ),
      (
        .decoding(.mismatch(WireMismatch(.wholeNumber, found: .hugeNumber)), where: "GET /a"),
        "a number that is too large (GET /a)."
      ),
      (.decoding(.emptyBody, where: "GET /a"), "an empty body (GET /a)."),
      (.decoding(.webPage, where: "GET /a"), "a web page instead of JSON (GET /a)."),
      (.decoding(.notJSON(diagnosis: "1:1: x"), where: "GET /a"), "no JSON: 1:1: x (GET /a)."),
      (
        .decoding(.errorInSuccess(status: 200, message: "x"), where: "GET /a"),
        "status 200 with an error in it: x (GET /a)."
      ),
      (
        .decoding(.otherRecord(id: "h2"), where: "GET /a"),
        "“h2”, which is another record (GET /a)."
      ),
      (.decoding(.otherHero, where: "GET /a"), "another hero's picture (GET /a)."),
      (
        .decoding(.unknownStatus("x"), where: "GET /a"),
        "“x”, which is not a known status (GET /a)."
      ),
      (
        .decoding(.noNextPage, where: "GET /a"),
        "no link to the next page, though there should be more records (GET /a)."
      ),
      (.decoding(.noTotal, where: "GET /a"), "no number in the header Total-Objects (GET /a)."),
      (.decoding(.repeatedID, where: "GET /a"), "the same id twice (GET /a)."),
      (
        .decoding(.missingResult, where: "GET /a"),
        "no result for one of the records sent (GET /a)."
      ),
      (
        .decoding(.resultCount(2, writes: 1), where: "POST /b"), "2 results for 1 writes (POST /b)."
      ),
      (.list(.heroes, .noTotal), "no total (the list of heroes)."),
      (
        .list(.heroes, .incomplete),
        "the pages did not add up to the server's total, three times in a row (the list of heroes)."
      ),
      (.list(.heroes, .endless), "a page brought nothing new (the list of heroes)."),
      (
        .list(.heroes, .overfull),
        "more rows came than the server's total (the list of heroes)."
      ),
      (
        .list(.events, .tooLarge(limit: 5 << 20, isShareOfDisk: false)),
        "it takes more than 5 MiB, the most of any list (the list of events)."
      ),
      (
        .list(.stories, .tooLarge(limit: 5 << 20, isShareOfDisk: true)),
        "it takes more than 5 MiB, a quarter of the free disk space (the list of stories)."
      ),
    ] as [(APIError, String)])
  func `what is wrong with an answer`(_ error: APIError, _ words: String) {
    #expect(error.message == "The server's answer cannot be used: " + words)
  }

  /// A head that never comes is noticed after once to twice the limit.
  @Test func `an answer that is too slow is said to be so`() {
    #expect(
      APIError.network(.headTooSlow(limit: .seconds(15))).message
        == "The server did not begin its answer within 15 to 30 seconds.")
    #expect(
      APIError.network(.tooSlow(limit: .seconds(60))).message
        == "The server sent too little of its answer in 60 seconds.")
  }

  @Test func `errors hold no token`() {
    let error = TokenStoreError.damaged(path: "p\u{1B}", why: "w")
    #expect(error.message == #"p\u{1b} is damaged: w."#)
    #expect(error.suggestion != nil)
  }
}
