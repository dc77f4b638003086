import Dispatch
import JSONText
import StoryAPI
import StoryServer
import Synchronization

/// Has stories written by an endpoint that speaks as OpenAI's `chat/completions` does.
///
/// The key goes to that endpoint alone and stands in no message.
struct ChatStoryteller: Storyteller {
  /// The whole URL, ending in `/chat/completions`.
  let url: String
  /// The model's name.
  let model: String
  /// What `Authorization: Bearer` carries; `nil` for an endpoint that wants none.
  let key: Secret?
  let transport: any Transport
  /// How long an answer may take, in seconds.
  var seconds = 60

  /// What a request waits for.
  private final class Answer: Sendable {
    let result = Mutex<Result<HTTPResponse, TransportError>?>(nil)
    let arrived = DispatchSemaphore(value: 0)
  }

  /// Asks and waits, on a thread of the server's own.
  func write(_ request: StoryRequest) throws(StorytellerFailure) -> WrittenStory {
    let answer = Answer()
    let sent = message(request)
    let task = Task.detached { [transport] in
      do throws(TransportError) {
        let response = try await transport.send(sent)
        answer.result.withLock { $0 = .success(response) }
      } catch {
        answer.result.withLock { $0 = .failure(error) }
      }
      answer.arrived.signal()
    }
    guard answer.arrived.wait(timeout: .now() + .seconds(seconds)) == .success else {
      task.cancel()
      throw StorytellerFailure("it gave no answer in \(seconds) s")
    }
    guard case .success(let response)? = answer.result.withLock({ $0 }) else {
      throw StorytellerFailure("it could not be reached")
    }
    guard response.status == 200 else {
      throw StorytellerFailure("it answered with status \(response.status)")
    }
    return try Self.story(in: response.body)
  }

  private func message(_ request: StoryRequest) -> HTTPRequest {
    let body: JSONValue = [
      "model": .string(model),
      "messages": [
        ["role": "system", "content": .string(StoryPrompt.instructions)],
        ["role": "user", "content": .string(StoryPrompt.text(for: request))],
      ],
    ]
    var headers: HTTPHeaders = [
      "Content-Type": "application/json", "Accept": "application/json",
    ]
    if let key { headers["Authorization"] = "Bearer \(key.value)" }
    return HTTPRequest(
      method: .post, url: url, headers: headers, body: body.compactBytes,
      timeout: .seconds(seconds))
  }

  /// The story in `choices[0].message.content`: its first line is the title.
  static func story(in body: [UInt8]) throws(StorytellerFailure) -> WrittenStory {
    let content = (try? JSONValue(parsing: body))?["choices"]?.array?.first?["message"]?["content"]
    guard let text = content?.string else {
      throw StorytellerFailure("its answer holds no text")
    }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { $0.trimmingPrefix(while: \.isWhitespace) }
    guard let first = lines.firstIndex(where: { !$0.isEmpty }) else {
      throw StorytellerFailure("its answer is empty")
    }
    let marks: Set<Character> = ["#", "*", "\"", "“", "”", "«", "»", "„", " ", "_"]
    var title = lines[first].drop { marks.contains($0) }
    while let last = title.last, marks.contains(last) { title.removeLast() }
    var rest = lines[(first + 1)...].drop { $0.isEmpty }
    while rest.last?.isEmpty == true { rest.removeLast() }
    let story = rest.joined(separator: "\n")
    let words = story.split(whereSeparator: \.isWhitespace).count
    guard !title.isEmpty, title.count <= 300, (50...5000).contains(words) else {
      throw StorytellerFailure("its answer is not a title and a story")
    }
    return WrittenStory(title: String(title), content: story)
  }
}

/// What a storyteller is told.
enum StoryPrompt {
  /// The form of the answer.
  static let instructions = """
    You write bedtime stories for children: 250 to 600 words, in paragraphs with an empty line between \
    them, with a wish, a small trouble and a calm end. Do not guess the hero's gender. Answer with the \
    title alone on the first line, then an empty line, then the story, and nothing else.
    """

  private static let languages = [
    "en": "English", "fr": "French", "es": "Spanish", "de": "German", "it": "Italian",
  ]

  /// The hero and the event.
  static func text(for request: StoryRequest) -> String {
    var lines = ["Language: \(languages[request.language] ?? request.language)"]
    lines.append("Hero: \(request.name)" + (request.age.map { ", \($0) years old" } ?? ""))
    if !request.traits.isEmpty { lines.append("Traits: \(request.traits.joined(separator: ", "))") }
    if let ability = request.ability { lines.append("Special ability: \(ability)") }
    if !request.appearance.isEmpty {
      lines.append("Looks: \(request.appearance.joined(separator: ", "))")
    }
    switch request.event {
    case .builtIn(let event): lines.append("Event: \(event.rawValue)")
    case .custom(let title, let seed, let tone, let keywords):
      lines.append("Event: \(title)")
      lines.append("Idea: \(seed)")
      lines.append("Tone: \(tone)")
      if !keywords.isEmpty { lines.append("Keywords: \(keywords.joined(separator: ", "))") }
    }
    return lines.joined(separator: "\n")
  }
}

/// The address of a storyteller, as `--storyteller` takes it.
struct StorytellerURL: ArgumentValue {
  /// The whole URL, ending in `/chat/completions`.
  var text: String

  static func parse(_ word: String) throws(ValueProblem) -> StorytellerURL {
    let path = word.drop { $0 == "/" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    // The scheme and the host alone are checked as a server's address: https, or this machine.
    guard parts.count > 1, let scheme = parts.first, !word.contains("?"), !word.contains("#"),
      (try? ServerAddress("\(scheme)//\(parts[1])")) != nil
    else {
      throw ValueProblem(expected: "an https URL, or an http one of this machine")
    }
    let tail = ["chat", "completions"]
    let segments = parts.dropFirst(2).map(String.init)
    let whole = segments.suffix(2) == tail[...] ? segments : segments + tail
    return StorytellerURL(text: "\(scheme)//\(parts[1])/\(whole.joined(separator: "/"))")
  }
}
