import JSONText
import StoryLibrary

/// Makes stories, pictures and narrations for the service, on the caller's thread.
///
/// Slow work is done without the store's lock. A file is written before the record that references
/// it, so that a record never references a missing file. After a crash in between, the unreferenced
/// file is removed along with the record's next file.
final class Workshop: Sendable {
  let store: Store
  let media: MediaFolder
  let options: ServerOptions
  /// The running requests by account and key. A repeated request waits for the first one and gets
  /// the same answer.
  private let busy = Monitor<Set<Busy>>([])
  /// The running engine calls, or `nil` once the server is stopped.
  private let calls = Monitor<Set<Task<Void, Never>>?>([])
  /// A counter that changes when there is background work.
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

  /// Runs `body` while no other request with this key is running.
  func alone<Result>(
    _ account: Int, _ key: HalfDigest, _ body: () throws(APIFailure) -> Result
  ) throws(APIFailure) -> Result {
    let entry = Busy(account: account, key: key)
    _ = busy.wait { $0.insert(entry).inserted ? true : nil }
    defer { busy.change { _ = $0.remove(entry) } }
    return try body()
  }

  /// Checks that an account has not reached the hourly limit for a kind of item.
  func require(_ what: Making, _ account: Int, _ now: Int64) throws(APIFailure) {
    let allowance = store.withState { $0[account].allowance }
    _ = try allowance.use(of: what, below: generation.limit(of: what), now: now)
  }

  func ring() { bell.change { $0 += 1 } }

  func record(
    _ kind: RecordKind, _ id: RecordID, _ account: Int
  ) throws(APIFailure) -> JSONNode? {
    try stored(try store.record(kind, id, of: account)).map(parsed)
  }

  // MARK: Files

  /// Draws a picture and stores it.
  func draw(
    _ request: PictureRequest, _ account: Int, _ kind: RecordKind, _ record: RecordID
  ) throws(APIFailure) -> (name: MediaName, isPlaceholder: Bool) {
    var request = request
    request.seed = options.random()
    let picture = try ask { [request] engine throws(EngineError) in try await engine.draw(request) }
    guard let type = MediaType(picture: picture.bytes) else {
      throw .engine(picture.bytes.isEmpty ? .empty : .unusable("it is no PNG, JPEG or WebP"))
    }
    let name = MediaName(
      account: account, kind: kind, record: record, type: type, random: request.seed)
    try add(name, picture.bytes)
    return (name, picture.isPlaceholder)
  }

  /// Narrates a story and stores the file.
  func narrate(
    _ story: (title: String, content: String, language: String), voice: String?, _ account: Int,
    _ record: RecordID
  ) throws(APIFailure) -> (name: MediaName, voice: String, seconds: Double) {
    let request = SpeechRequest(
      paragraphs: [story.title] + StoryText.paragraphs(story.content), language: story.language,
      voice: voice)
    let narration = try ask { engine throws(EngineError) in try await engine.speak(request) }
    guard !narration.bytes.isEmpty else { throw .engine(.empty) }
    guard let bytes = AudioFile.joined([narration.bytes]), let file = AudioFile(bytes) else {
      throw .engine(.unusable("it is no WAV or MP3"))
    }
    let name = MediaName(
      account: account, kind: .stories, record: record, type: file.isWAV ? .wav : .mp3,
      random: options.random())
    try add(name, bytes)
    return (name, narration.voice, file.seconds)
  }

  /// Stores a file. If there is no room for it, the files of records that an import took away make some.
  private func add(_ name: MediaName, _ bytes: [UInt8]) throws(APIFailure) {
    let account = name.account
    if media.size(ofAccount: account) + bytes.count > generation.mediaBytes {
      media.sweep(account) {
        store.withState { state in
          RecordKind.allCases.flatMap { kind in
            state[account][kind].slots.filter { !$0.isDeleted }.map { (kind: kind, id: $0.id) }
          }
        }
      }
    }
    try media.add(name, bytes, limit: generation.mediaBytes)
  }

  // MARK: Engines

  /// Runs an engine call and waits for it on this thread.
  func ask<Value: Sendable>(
    _ work: @escaping @Sendable (any Engine) async throws(EngineError) -> Value
  ) throws(APIFailure) -> Value {
    let waiting = WaitingExecutor<Result<Value, EngineError>>()
    let engine = generation.engine
    let call: Task<Void, Never>? = calls.withLock { calls in
      guard calls != nil else { return nil }
      let call = Task(executorPreference: waiting) {
        let result: Result<Value, EngineError>
        do throws(EngineError) {
          result = .success(
            try await Self.patiently { () throws(EngineError) in try await work(engine) })
        } catch {
          result = .failure(error)
        }
        waiting.finish(result)
      }
      calls?.insert(call)
      return call
    }
    guard let call else { throw .engine(.cancelled) }
    defer { calls.withLock { _ = $0?.remove(call) } }
    switch waiting.run() {
    case .success(let value): return value
    case .failure(let error):
      if error != .cancelled { generation.note("Nothing was made: \(error.message).") }
      throw .engine(error)
    }
  }

  /// Repeats a call up to two times if the engine asks for a wait of at most 20 seconds.
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

  var isStopped: Bool { calls.withLock { $0 == nil } }

  /// Cancels running engine calls and refuses further ones, and wakes the illustrator, which ends then.
  func stopEngines() {
    let open = calls.withLock { calls in
      defer { calls = nil }
      return calls
    }
    for call in open ?? [] { call.cancel() }
    ring()
  }

  // MARK: Lost files

  /// Recreates a missing placeholder that a record references, for example after a clone. An
  /// engine's work is only made again on request.
  ///
  /// - Returns: The file, or `nil` if it is not such a placeholder.
  func restore(_ name: MediaName) throws(APIFailure) -> MediaFile? {
    guard let record = try record(name.kind, name.record, name.account),
      let field = name.kind.mediaField, record[field]?.string == name.path
    else { return nil }
    let mark = name.kind == .heroes ? "avatarIsPlaceholder" : "isPlaceholder"
    guard name.kind != .stories, record[mark]?.kind == .true else { return nil }
    try add(name, PlaceholderCard.png(seed: name.random))
    return media.open(name)
  }

  /// Returns up to 12 titles of a hero's stories, newest first.
  func titles(of hero: RecordID, _ account: Int) throws(APIFailure) -> [String] {
    let stories = try store.change(account, now: options.clock()) {
      (changes) throws(APIFailure) -> [(made: String, title: String)] in
      var stories: [(made: String, title: String)] = []
      for id in changes.state[.stories].ids(of: [hero]).prefix(500) {
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
  init(_ node: JSONNode) {
    func texts(_ name: String) -> [String] {
      // A record may hold one value or several.
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
