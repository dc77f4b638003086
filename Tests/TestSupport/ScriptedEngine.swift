import Foundation
import Synchronization

/// An engine over a real socket that speaks as OpenAI's API reference says
/// (https://platform.openai.com/docs/api-reference): `chat/completions`, also as a stream,
/// `images/generations`, `audio/speech` and `models`.
///
/// What goes wrong is chosen by the name of the model; every other name works.
package final class ScriptedEngine: Sendable {
  /// Models that fail, each in its own way.
  package enum Fault: String, CaseIterable, Sendable {
    case quota, busy, resting, broken, unsafe, filtered, refusal, empty, cut, unknown, slow, dropped
    /// Redirects to another origin.
    case moved
    /// Answers with a story in Spanish, whatever is asked for.
    case spanish
    /// Answers with prose instead of JSON.
    case prose
  }

  /// Models that work in another way.
  package enum Manner: String, CaseIterable, Sendable {
    /// Refuses `response_format` and `size`, as older engines do.
    case plain
    /// Puts the JSON between fences and says something around it, after thinking aloud.
    case chatty
    /// Gives pictures as base64.
    case base64
    /// Gives pictures as a `data:` URL.
    case inline
    /// Gives sound as WAV.
    case wav
  }

  package static let key = "sk-scripted-0123456789abcdef"
  package let server: ScriptedServer

  /// - Parameter needsKey: whether ``key`` must come with every request.
  package init(needsKey: Bool = false) throws {
    let shared = Shared()
    server = try ScriptedServer { request, _ in Self.answer(request, needsKey, shared) }
    shared.state.withLock { $0.url = server.url }
  }

  private final class Shared: Sendable {
    let state = Mutex((url: "", turns: [String: Int]()))
  }

  private static func answer(
    _ request: ScriptedServer.Request, _ needsKey: Bool, _ shared: Shared
  ) -> ScriptedServer.Reply {
    if request.target.hasPrefix("/files/") {
      return .answer(200, bytes: picture, headers: ["Content-Type": "image/png"])
    }
    if needsKey, request.headers["authorization"] != "Bearer \(key)" {
      // The reference shows a part of a wrong key; this one repeats all of it.
      return error(
        401, "Incorrect API key provided: \(request.headers["authorization"] ?? "").",
        code: "invalid_api_key")
    }
    if request.target == "/v1/models" {
      let model: [String: Any] = [
        "id": "good", "object": "model", "created": 1_700_000_000, "owned_by": "test",
      ]
      return json(["object": "list", "data": [model]])
    }
    guard let body = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
    else { return error(400, "We could not parse the JSON body of your request.") }
    let model = body["model"] as? String ?? ""
    let (url, turn) = shared.state.withLock { state in
      state.turns[model, default: 0] += 1
      return (state.url, state.turns[model] ?? 1)
    }
    if let fault = Fault(rawValue: model), let reply = reply(fault, turn) { return reply }
    if model == Manner.plain.rawValue, let wish = body["response_format"] ?? body["size"] {
      return error(400, "Unknown parameter: \(wish).", param: "response_format")
    }
    switch request.target {
    case "/v1/chat/completions": return chat(body, model)
    case "/v1/images/generations":
      let base64 = Data(picture).base64EncodedString()
      let file =
        switch Manner(rawValue: model) {
        case .base64: ["b64_json": base64]
        case .inline: ["url": "data:image/png;base64,\(base64)"]
        default: ["url": "\(url)/files/picture.png"]
        }
      return json([
        "created": 1_700_000_000, "data": model == Fault.empty.rawValue ? [] : [file],
      ])
    case "/v1/audio/speech":
      let isWAV = model == Manner.wav.rawValue || body["response_format"] as? String == "wav"
      let sound = isWAV ? SampleSound.wav() : SampleSound.mp3(frames: 38)
      return .answer(
        200, bytes: model == Fault.empty.rawValue ? [] : sound,
        headers: ["Content-Type": isWAV ? "audio/wav" : "audio/mpeg"])
    default:
      return error(404, "Unknown request URL: POST \(request.target).", code: "unknown_url")
    }
  }

  /// The base URL.
  package var url: String { server.url + "/v1" }

  /// The bodies of the requests below a path, such as `chat/completions`.
  package func bodies(_ path: String) -> [[String: Any]] {
    server.requests.filter { $0.target == "/v1/\(path)" }.compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any]
    }
  }

  /// The prompts that stories were asked for with.
  package var storyPrompts: [String] {
    bodies("chat/completions").compactMap { body in
      ((body["messages"] as? [[String: Any]])?.last?["content"]) as? String
    }
  }

  /// The prompts that pictures were asked for with.
  package var picturePrompts: [String] {
    bodies("images/generations").compactMap { $0["prompt"] as? String }
  }

  // MARK: Answers

  private static func json(
    _ value: [String: Any], status: Int = 200, _ headers: [String: String] = [:]
  )
    -> ScriptedServer.Reply
  {
    let bytes = (try? JSONSerialization.data(withJSONObject: value)).map { Array($0) } ?? []
    return .answer(status, bytes: bytes, headers: headers)
  }

  /// https://platform.openai.com/docs/guides/error-codes
  private static func error(
    _ status: Int, _ message: String, type: String = "invalid_request_error", code: String? = nil,
    param: String? = nil, headers: [String: String] = [:]
  ) -> ScriptedServer.Reply {
    json(
      [
        "error": [
          "message": message, "type": type, "param": param ?? NSNull(), "code": code ?? NSNull(),
        ] as [String: Any]
      ], status: status, headers)
  }

  private static func reply(_ fault: Fault, _ turn: Int) -> ScriptedServer.Reply? {
    switch fault {
    case .quota:
      error(
        429, "You exceeded your current quota, please check your plan and billing details.",
        type: "insufficient_quota", code: "insufficient_quota")
    case .busy:
      error(
        429, "Rate limit reached.", type: "requests", code: "rate_limit_exceeded",
        headers: ["Retry-After": "120"])
    case .resting:
      turn == 1
        ? error(
          429, "Rate limit reached.", type: "requests", code: "rate_limit_exceeded",
          headers: ["Retry-After": "0"]) : nil
    case .broken:
      error(500, "The server had an error while processing your request.", type: "server_error")
    case .unsafe:
      error(
        400, "Your request was rejected by our safety system.", code: "content_policy_violation")
    case .unknown:
      error(404, "The model `unknown` does not exist.", code: "model_not_found", param: "model")
    case .slow: .hang
    case .dropped: .drop
    case .moved: .answer(307, bytes: [], headers: ["Location": "http://127.0.0.1:9/v1"])
    case .filtered, .refusal, .empty, .cut, .spanish, .prose: nil
    }
  }

  private static func chat(_ body: [String: Any], _ model: String) -> ScriptedServer.Reply {
    let prompt = (body["messages"] as? [[String: Any]])?.last?["content"] as? String ?? ""
    var content: Any = story(prompt, model)
    var refusal: Any = NSNull()
    var reason = "stop"
    switch model {
    case Fault.filtered.rawValue: (content, reason) = ("", "content_filter")
    case Fault.refusal.rawValue:
      (content, refusal) = (NSNull(), "I’m sorry, I cannot help with that.")
    case Fault.empty.rawValue: content = ""
    case Fault.cut.rawValue:
      (content, reason) = (String((content as? String ?? "").prefix(80)), "length")
    case Fault.prose.rawValue: content = "I’m sorry, but I can’t write that {story}."
    case Manner.chatty.rawValue:
      content =
        "<think>A {hero}, hm.</think>Here is your story:\n\n```json\n\(content)\n```\nEnjoy it!"
    default: break
    }
    if body["stream"] as? Bool == true { return stream(content as? String ?? "", model, reason) }
    return json([
      "id": "chatcmpl-1", "object": "chat.completion", "created": 1_700_000_000, "model": model,
      "choices": [
        [
          "index": 0, "finish_reason": reason, "logprobs": NSNull(),
          "message": ["role": "assistant", "content": content, "refusal": refusal],
        ] as [String: Any]
      ],
      "usage": ["prompt_tokens": 100, "completion_tokens": 300, "total_tokens": 400],
    ])
  }

  /// Server-sent events: a chunk for each part, then `[DONE]`.
  private static func stream(
    _ content: String, _ model: String, _ reason: String
  ) -> ScriptedServer.Reply {
    func chunk(_ delta: [String: Any], _ reason: Any) -> String {
      let value: [String: Any] = [
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_700_000_000,
        "model": model,
        "choices": [["index": 0, "delta": delta, "finish_reason": reason] as [String: Any]],
      ]
      let data = (try? JSONSerialization.data(withJSONObject: value)) ?? Data()
      return "data: \(String(decoding: data, as: UTF8.self))\n\n"
    }
    var events = chunk(["role": "assistant", "content": ""], NSNull())
    for word in content.split(separator: " ", omittingEmptySubsequences: false) {
      events += chunk(["content": word + " "], NSNull())
    }
    events += chunk([:], reason) + "data: [DONE]\n\n"
    return .answer(200, events, headers: ["Content-Type": "text/event-stream"])
  }

  /// A story about the hero of the prompt, in its language.
  private static func story(_ prompt: String, _ model: String) -> String {
    func value(_ label: String) -> String {
      prompt.components(separatedBy: "\n").first { $0.hasPrefix(label) }
        .map { String($0.dropFirst(label.count)) } ?? ""
    }
    let name = value("The hero: ")
    let asked = prompt.components(separatedBy: "Write one story in ").last?.prefix { $0 != "." }
    let language = model == Fault.spanish.rawValue ? "Spanish" : String(asked ?? "English")
    let (title, sentence) = texts[language] ?? texts["English"] ?? ("", "")
    // One that is told of an earlier story writes another.
    let isSecond = prompt.contains("“\(title) \(name)”")
    let paragraphs = (1...4).map { "\(name) (\(isSecond ? $0 + 4 : $0)): \(sentence)" }
    let object: [String: Any] = [
      "title": "\(title) \(name)" + (isSecond ? " 2" : ""), "paragraphs": paragraphs,
      "scenes": (1...4).map {
        [
          "paragraph": $0,
          "description": "Scene \($0): \(name) at the station, in the light of a lamp",
        ]
          as [String: Any]
      },
    ]
    let data = try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  private static let texts = [
    "English": (
      "The Night Train of",
      "The train was long and the moon was high, and they looked out of the window with a smile."
    ),
    "French": (
      "Le train de nuit de",
      "Dans le train, les enfants dorment et la lune est haute ; qui veut regarder des étoiles ?"
    ),
    "Spanish": (
      "El tren nocturno de",
      "El tren era muy largo y las luces estaban lejos, pero los viajeros y el gato dormían."
    ),
    "German": (
      "Der Nachtzug von",
      "Der Zug war lang und der Mond stand hoch, und sie sahen mit einem Lächeln in das Dunkel."
    ),
    "Italian": (
      "Il treno notturno di",
      "Il treno era lungo e la luna era alta, e gli amici si guardavano nel buio della sera."
    ),
  ]

  /// A PNG of one pixel.
  package static let picture = Array(
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    ) ?? Data())
}
