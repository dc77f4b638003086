import JSONText
import StoryLibrary

/// Has stories, pictures and narrations made for the service, on the thread of whoever asks.
///
/// What takes long is done without the store's lock: the file is made first, then the record that
/// names it is changed, so that a record never names a file that was not there. A crash in between
/// leaves a file that nobody names; it goes with the record's next one.
final class Workshop: Sendable {
  let store: Store
  let media: MediaFolder
  let options: ServerOptions
  /// The requests that are being carried out, by account and key: one that is sent again meanwhile
  /// waits, and is then given the same answer.
  private let busy = Monitor<Set<Busy>>([])
  /// The calls of engines that are under way, by number; `nil` once the server is stopped.
  private let calls = Monitor<[Int: Task<Void, Never>]?>([:])
  /// Told when there is work to be done in the background.
  let bell = Monitor(0)

  private struct Busy: Hashable {
    var account: Int
    var key: HalfDigest
  }

  init(store: Store, options: ServerOptions) {
    self.store = store
    self.options = options
    media = MediaFolder(dataFolder: options.dataPath)
  }

  var generation: GenerationOptions { options.generation }

  /// Runs `body` while no other request with this key is carried out.
  func alone<Result>(
    _ account: Int, _ key: HalfDigest, _ body: () throws(APIFailure) -> Result
  ) throws(APIFailure) -> Result {
    let entry = Busy(account: account, key: key)
    _ = busy.wait { $0.insert(entry).inserted ? true : nil }
    defer { busy.change { _ = $0.remove(entry) } }
    return try body()
  }

  /// Throws where an account has had the hour's share of something.
  func require(_ what: Making, _ account: Int, _ now: Int64) throws(APIFailure) {
    let use = store.withState { $0[account].allowance.use(of: what, now: now) }
    let limit = generation.limit(of: what)
    guard use.count < limit else {
      throw .limitReached(what, use, limit: limit, now: now)
    }
  }

  /// A name for a new file.
  func newName(
    _ account: Int, _ kind: RecordKind, _ record: RecordID, _ type: MediaType
  ) -> MediaName {
    MediaName(
      account: account, kind: kind, record: record, type: type, random: options.random())
  }

  /// Lets the thread in the background look for work.
  func ring() { bell.change { $0 += 1 } }

  /// A record; `nil` where it is not there.
  func record(
    _ kind: RecordKind, _ id: RecordID, _ account: Int
  ) throws(APIFailure) -> JSONNode? {
    do {
      return try store.record(kind, id, of: account).map { try JSONDocument(parsing: $0).root }
    } catch {
      throw .storage
    }
  }

  // MARK: Files

  /// Has a picture drawn and kept.
  ///
  /// - Returns: its name, and whether it is a placeholder.
  func draw(
    _ request: PictureRequest, _ account: Int, _ kind: RecordKind, _ record: RecordID
  ) throws(Unmade) -> (name: MediaName, isPlaceholder: Bool) {
    var name = newName(account, kind, record, .png)
    var request = request
    request.seed = name.seed
    let picture = try ask { [request] engine throws(EngineError) in try await engine.draw(request) }
    guard let type = MediaType(picture: picture.bytes) else {
      throw .engine(picture.bytes.isEmpty ? .empty : .unusable("it is no PNG, JPEG or WebP"))
    }
    name.type = type
    try add(name, picture.bytes)
    return (name, picture.isPlaceholder)
  }

  private func add(_ name: MediaName, _ bytes: [UInt8]) throws(Unmade) {
    do throws(APIFailure) {
      try media.add(name, bytes, limit: generation.mediaBytes)
    } catch {
      throw .server(error)
    }
  }

  /// Has a story read aloud and kept.
  ///
  /// - Returns: the file's name, the voice, and how long it takes in seconds.
  func narrate(
    _ story: (title: String, content: String, language: String), voice: String?, _ account: Int,
    _ record: RecordID
  ) throws(Unmade) -> (name: MediaName, voice: String, seconds: Double) {
    let request = SpeechRequest(
      paragraphs: [story.title] + StoryText.paragraphs(story.content), language: story.language,
      voice: voice)
    let narration = try ask { engine throws(EngineError) in try await engine.speak(request) }
    guard !narration.bytes.isEmpty else { throw .engine(.empty) }
    guard let bytes = AudioFile.joined([narration.bytes]), let file = AudioFile(bytes) else {
      throw .engine(.unusable("it is no WAV or MP3"))
    }
    let name = newName(account, .stories, record, file.isWAV ? .wav : .mp3)
    try add(name, bytes)
    return (name, narration.voice, file.seconds)
  }

  // MARK: Engines

  /// The reason why something was not made.
  enum Unmade: Error {
    case engine(EngineError)
    case server(APIFailure)

    /// The answer to whoever waits for it.
    var failure: APIFailure {
      switch self {
      case .server(let failure): failure
      case .engine(.cancelled):
        APIFailure(503, EngineError.cancelled.code, "The server is being stopped.")
      case .engine(let error):
        // RFC 4918, section 11.4: what the request depends on failed. Clients do not retry it automatically.
        APIFailure(424, error.code, error.message)
      }
    }

    /// The reason for a record.
    var message: String {
      switch self {
      case .server(let failure): failure.message
      case .engine(let error): error.message
      }
    }
  }

  /// Has an engine do something, and waits for it on this thread.
  func ask<Value: Sendable>(
    _ work: @escaping @Sendable (any Engine) async throws(EngineError) -> Value
  ) throws(Unmade) -> Value {
    let waiting = WaitingExecutor<Result<Value, EngineError>>()
    let engine = generation.engine
    let number: Int? = calls.withLock { calls in
      guard let open = calls else { return nil }
      let number = (open.keys.max() ?? 0) + 1
      calls?[number] = Task(executorPreference: waiting) {
        let result: Result<Value, EngineError>
        do throws(EngineError) {
          result = .success(
            try await Self.patiently { () throws(EngineError) in try await work(engine) })
        } catch {
          result = .failure(error)
        }
        waiting.finish(result)
      }
      return number
    }
    guard let number else { throw .engine(.cancelled) }
    defer { calls.withLock { _ = $0?.removeValue(forKey: number) } }
    switch waiting.run() {
    case .success(let value): return value
    case .failure(let error):
      if error != .cancelled { generation.note("Nothing was made: \(error.message).") }
      throw .engine(error)
    }
  }

  /// Does it again where the engine asks for a moment of rest, twice at most.
  private static func patiently<Value>(
    _ work: () async throws(EngineError) -> Value
  ) async throws(EngineError) -> Value {
    for _ in 0..<2 {
      do throws(EngineError) {
        return try await work()
      } catch {
        guard case .busy(let seconds?) = error, seconds <= 20 else { throw error }
        if seconds == 0 { continue }
        do { try await Task.sleep(for: .seconds(seconds)) } catch { throw .cancelled }
      }
    }
    return try await work()
  }

  /// Cancels what engines are doing, and lets them do nothing more.
  func stopEngines() {
    let open = calls.withLock { calls in
      defer { calls = nil }
      return calls
    }
    for task in (open ?? [:]).values { task.cancel() }
  }

  // MARK: Lost files

  /// Makes a placeholder again that a record names and that is not there, as after a clone. What an
  /// engine made is not made again before somebody asks for it.
  ///
  /// - Returns: `nil` for anything else.
  func restore(_ name: MediaName) throws(APIFailure) -> MediaFile? {
    guard let record = try record(name.kind, name.record, name.account),
      let field = name.kind.mediaField, record[field]?.string == name.path
    else { return nil }
    let mark = name.kind == .heroes ? "avatarIsPlaceholder" : "isPlaceholder"
    guard name.kind != .stories, record[mark]?.kind == .true else { return nil }
    do throws(Unmade) {
      try add(name, PlaceholderCard.png(seed: name.seed))
    } catch {
      throw error.failure
    }
    return media.open(name)
  }

  /// The titles of a hero's stories, the newest first, 12 at most.
  func titles(of hero: RecordID, _ account: Int) throws(APIFailure) -> [String] {
    let stories = try store.change(account, now: options.clock()) {
      (changes) throws(APIFailure) -> [(made: String, title: String)] in
      var stories: [(made: String, title: String)] = []
      for id in changes.ids(.stories, of: hero).prefix(500) {
        guard let story = try changes.record(.stories, id) else { continue }
        stories.append((story["createdAt"]?.string ?? "", story["title"]?.string ?? ""))
      }
      return stories
    }
    return stories.sorted { $0 > $1 }.prefix(12).map(\.title)
  }

  static func text(
    of story: JSONNode
  ) -> (title: String, content: String, language: String) {
    (
      story["title"]?.string ?? "", story["content"]?.string ?? "",
      story["language"]?.string ?? "en"
    )
  }
}

extension StoryHero {
  /// The hero of a record.
  init(_ node: JSONNode) {
    func texts(_ name: String) -> [String] {
      // A record may hold one or several.
      (node[name]?.string.map { [$0] } ?? node[name]?.elements.compactMap(\.string) ?? [])
        .filter { !$0.isEmpty }
    }
    let labels = [
      ("hairColor", "hair"), ("eyeColor", "eyes"), ("skinTone", "skin"), ("height", "height"),
    ]
    self.init(
      name: node["name"]?.string ?? "", age: node["age"]?.number?.integer, traits: texts("traits"),
      abilities: texts("specialAbility"),
      looks: texts("appearance")
        + labels.flatMap { name, label in texts(name).map { "\(label): \($0)" } })
  }
}

extension RecordKind {
  /// The member that names a record's file.
  var mediaField: String? {
    switch self {
    case .heroes: "avatarUrl"
    case .stories: "audioUrl"
    case .illustrations: "imageUrl"
    case .customEvents: nil
    }
  }
}
