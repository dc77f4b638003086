import JSONText

/// Makes stories, pictures and narrations for the service, on the thread of whoever asks.
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
  /// Told when there is work to be done in the background.
  let bell = Monitor(0)

  private struct Busy: Hashable {
    var account: Int
    var key: HalfDigest
  }

  init(store: Store, options: ServerOptions) {
    self.store = store
    self.options = options
    media = MediaFolder(dataFolder: options.dataFolder)
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

  /// Draws a hero.
  func drawAvatar(_ name: MediaName, hero: JSONNode) throws(APIFailure) {
    let picture = AvatarPicture(
      figure: Figure(hero), seed: name.seed, size: max(1, generation.pictureWidth * 2 / 3))
    try add(name, picture.png())
  }

  /// Draws a scene of a story.
  func drawIllustration(
    _ name: MediaName, _ illustration: JSONNode, story: JSONNode, hero: JSONNode?
  ) throws(APIFailure) {
    let scene = ScenePicture(
      figure: Figure(hero), event: story["eventType"]?.string,
      order: illustration["displayOrder"]?.number?.integer ?? 1, seed: name.seed,
      width: max(1, generation.pictureWidth))
    try add(name, scene.png())
  }

  private func add(_ name: MediaName, _ bytes: [UInt8]) throws(APIFailure) {
    try media.add(name, limit: generation.mediaBytes) { (path) throws(APIFailure) in
      guard let file = OutputFile(path: path), file.write(bytes) else {
        throw MediaFolder.full
      }
    }
  }

  /// Reads a story aloud, or plays a melody of that length.
  ///
  /// - Returns: the voice, and how long it takes in seconds.
  func narrate(
    _ name: MediaName, story: (title: String, content: String, language: String), voice: String?
  ) throws(APIFailure) -> (voice: String, seconds: Double) {
    var used = Melody.voice
    var seconds = 0.0
    try media.add(name, limit: generation.mediaBytes) { (path) throws(APIFailure) in
      let text = story.title + ".\n\n" + story.content
      if let spoken = generation.narrator?.narrate(
        text, language: story.language, voice: voice, to: path),
        let length = WaveFile.seconds(path: path)
      {
        used = spoken
        seconds = length
        return
      }
      guard let length = Melody(text: text, seed: name.seed).write(to: path) else {
        throw MediaFolder.full
      }
      seconds = length
    }
    return (used, seconds)
  }

  /// Makes a file again that a record names and that is not there, as after a clone.
  ///
  /// - Returns: `nil` where no record names it.
  func restore(_ name: MediaName) throws(APIFailure) -> MediaFile? {
    guard let record = try record(name.kind, name.record, name.account),
      let field = name.kind.mediaField, record[field]?.string == name.path
    else { return nil }
    switch name.kind {
    case .heroes: try drawAvatar(name, hero: record)
    case .illustrations:
      guard let id = record["storyId"]?.string,
        let story = try self.record(.stories, RecordID(id), name.account)
      else { return nil }
      try drawIllustration(name, record, story: story, hero: try hero(of: story, name.account))
    case .stories: _ = try narrate(name, story: Self.text(of: record), voice: nil)
    case .customEvents: return nil
    }
    return media.open(name)
  }

  /// The hero of a story.
  func hero(of story: JSONNode, _ account: Int) throws(APIFailure) -> JSONNode? {
    guard let id = story["heroId"]?.string else { return nil }
    return try record(.heroes, RecordID(id), account)
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
