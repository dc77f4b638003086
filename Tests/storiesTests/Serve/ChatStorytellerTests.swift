import Foundation
import JSONText
import StoryAPI
import StoryServer
import Testing

@testable import stories

@Suite struct ChatStorytellerTests {
  private static let text = Array(repeating: "Luna looked at the moon.", count: 20)
    .joined(separator: "\n\n")

  private struct Case: CustomTestStringConvertible {
    var testDescription: String
    var action: FaultAction
    // A machine with much to do must not take it for silence.
    var seconds = 600
    /// Part of the reason; `nil` where a story comes.
    var reason: String?
  }

  private static func answer(_ content: JSONValue, status: Int = 200) -> FaultAction {
    let body: JSONValue = ["choices": [["message": ["role": "assistant", "content": content]]]]
    return .answer(status: status, body: body.compactBytes)
  }

  private static let cases = [
    Case(testDescription: "a story", action: answer(.string("# **The Moon**\n\n\(text)\n"))),
    Case(
      testDescription: "an error", action: .answer(status: 401, body: Array("key s3cret".utf8)),
      reason: "status 401"),
    Case(
      testDescription: "no JSON", action: .answer(status: 200, body: [1, 2]), reason: "no text"),
    Case(
      testDescription: "no choice", action: .answer(status: 200, body: Array("{}".utf8)),
      reason: "no text"),
    Case(testDescription: "another kind", action: answer(7), reason: "no text"),
    Case(testDescription: "an empty text", action: answer(" \n "), reason: "empty"),
    Case(testDescription: "a refusal", action: answer("I cannot do that."), reason: "not a title"),
    Case(
      testDescription: "a lost connection", action: .dropBeforeHandling, reason: "not be reached"),
    Case(
      testDescription: "a long wait", action: .delay(milliseconds: 60_000), seconds: 0,
      reason: "no answer in 0 s"),
  ]

  private let request = StoryRequest(
    name: "Luna", age: 7, traits: ["brave"], ability: "talks to stars", appearance: ["red hair"],
    event: .custom(title: "Tooth", seed: "it falls out", tone: "cheerful", keywords: ["moon"]),
    language: "fr")

  @Test(arguments: cases)
  private func answersBecomeStoriesOrReasons(_ example: Case) async throws {
    let endpoint = try StoryServer(options: ServerOptions())
    try endpoint.start()
    defer { endpoint.stop() }
    endpoint.addFault(FaultRule(example.action, method: "POST", path: "/v1/chat/completions"))
    let storyteller = ChatStoryteller(
      url: "\(endpoint.url)/v1/chat/completions", model: "m", key: Secret("s3cret"),
      transport: URLSessionTransport(), seconds: example.seconds)
    let request = request
    // It waits, which the threads of tasks must not.
    let result = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          returning: Result { () throws(StorytellerFailure) in try storyteller.write(request) })
      }
    }
    switch result {
    case .success(let story):
      #expect(example.reason == nil)
      #expect(story.title == "The Moon")
      #expect(story.content == Self.text)
    case .failure(let failure):
      #expect(failure.reason.contains(example.reason ?? "nothing"))
      #expect(!failure.reason.contains("s3cret"))
    }
  }

  @Test func thePromptTellsWhatIsAskedFor() {
    let prompt = StoryPrompt.text(for: request)
    for part in [
      "French", "Luna", "7", "brave", "talks to stars", "red hair", "Tooth", "it falls out",
      "cheerful", "moon",
    ] {
      #expect(prompt.contains(part), "\(part)")
    }
  }

  @Test(arguments: [
    ("https://api.example.org/v1", "https://api.example.org/v1/chat/completions"),
    ("https://api.example.org/", "https://api.example.org/chat/completions"),
    ("http://localhost:11434/v1/", "http://localhost:11434/v1/chat/completions"),
    ("http://127.0.0.1:1/v1/chat/completions", "http://127.0.0.1:1/v1/chat/completions"),
    ("http://example.org/v1", nil), ("ftp://example.org", nil), ("nonsense", nil),
    ("https://api.example.org/v1?key=x", nil),
  ])
  func addressesAreCompleted(word: String, expected: String?) {
    #expect((try? StorytellerURL.parse(word))?.text == expected)
  }
}
