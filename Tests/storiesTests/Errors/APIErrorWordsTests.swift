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
    #expect(APIError.conflict(message: "Taken.").message.hasSuffix(": Taken."))
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
        .decoding(.resultCount(2, writes: 1), where: "POST /b"), "2 results for 1 writes (POST /b)."
      ),
      (
        .list(.heroes, .overfull),
        "more rows came than the server's total (the list of heroes)."
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
