import JSONText

/// Draws the illustrations of stories, one after another, on its own thread.
///
/// Open work is in the log, so a restarted server continues it. The story's record changes when its
/// work begins and ends, an illustration's record with each step.
final class Illustrator: Sendable {
  private let service: Service
  private let thread = Monitor<ServerThread?>(nil)

  private var workshop: Workshop { service.workshop }
  private var store: Store { service.store }
  private var options: ServerOptions { service.options }

  init(service: Service) { self.service = service }

  func start() {
    let started = ServerThread { [self] in run() }
    thread.withLock { $0 = started }
  }

  /// Waits for the end of the thread, which ``Workshop/stopEngines()`` stops. An illustration that is
  /// being drawn is left to the next start. Call this exactly once.
  func stop() { thread.withLock { $0 }?.join() }

  private func run() {
    while true {
      // Read the bell before checking for the end, so that a ring in between is not missed below.
      let heard = workshop.bell.withLock { $0 }
      guard !workshop.isStopped else { return }
      var isIdle = true
      for (account, story) in openWork() where !workshop.isStopped {
        isIdle = false
        do throws(APIFailure) {
          try work(on: story, account)
        } catch {
          // The log cannot be written. Open work stays open for the next start.
          return
        }
      }
      if isIdle { _ = workshop.bell.wait { $0 != heard ? true : nil } }
    }
  }

  private func openWork() -> [(account: Int, story: RecordID)] {
    store.withState { state in
      state.accounts.flatMap { account in account.work.map { (account.number, $0) } }
    }
  }

  /// Draws the remaining illustrations of a story, until they are done or the server is stopped.
  private func work(on story: RecordID, _ account: Int) throws(APIFailure) {
    try addMissingRecords(of: story, account)
    while !workshop.isStopped, let next = try begin(story, account) {
      var outcome: [(name: String, value: JSONValue)]
      var name: MediaName?
      if let failure = service.hook.withLock({ $0 })?
        .failure(ofPicture: next.picture.order, story: story.text)
      {
        outcome = [("generationStatus", "failed"), ("error", .string(failure))]
      } else if workshop.isStopped {
        return
      } else {
        do throws(APIFailure) {
          (name, outcome) = try draw(next, account)
        } catch {
          if error.isCancellation { return }
          outcome = [("generationStatus", "failed"), ("error", .string(error.message))]
        }
      }
      let isThere = try store.change(account, now: options.clock()) {
        (changes) throws(APIFailure) in
        // It may have been requested again in the meantime, with a different text.
        guard let now = try changes.record(.illustrations, next.picture.id),
          now["generationStatus"]?.string == "processing"
        else { return false }
        try changes.change(.illustrations, next.picture.id, outcome)
        return true
      }
      guard let name else { continue }
      if isThere {
        workshop.media.remove(.illustrations, next.picture.id, of: account, except: name.file)
      } else {
        workshop.media.remove(name)
      }
    }
  }

  /// Creates the records of a story's illustrations if it has none: the work was imported with a
  /// library's records, or the log ended before the illustrations.
  private func addMissingRecords(of id: RecordID, _ account: Int) throws(APIFailure) {
    try store.change(account, now: options.clock()) { (changes) throws(APIFailure) in
      guard try Album.pictures(of: id, changes).isEmpty,
        let story = try changes.record(.stories, id)
      else { return }
      for scene in Scene.all(of: story, hero: try changes.hero(of: story)) {
        try Album.put(scene, of: id, newID: service.newID, in: &changes)
      }
    }
  }

  private typealias Step = (picture: Album.Picture, story: JSONNode, hero: JSONNode?)

  /// Marks the next illustration as being drawn, or the work as done.
  private func begin(_ id: RecordID, _ account: Int) throws(APIFailure) -> Step? {
    try store.change(account, now: options.clock()) { (changes) throws(APIFailure) -> Step? in
      let pictures = try Album.pictures(of: id, changes)
      guard let story = try changes.record(.stories, id) else {
        // The story was deleted, or the log ended before it was written.
        changes.delete(.illustrations, pictures.map(\.id))
        changes.setWork(id, isOpen: false)
        return nil
      }
      guard
        let unfinished = pictures.first(where: { ["processing", "pending"].contains($0.status) })
      else {
        changes.setWork(id, isOpen: false)
        let count = pictures.count { $0.status == "completed" }
        try changes.change(
          .stories, id,
          [
            ("illustrationStatus", .string(pictures.status)),
            ("illustrationCount", .number(count)),
          ])
        return nil
      }
      try changes.change(
        .illustrations, unfinished.id, [("generationStatus", "processing"), ("error", nil)])
      try changes.change(.stories, id, [("illustrationStatus", "processing")])
      return (unfinished, story, try changes.hero(of: story))
    }
  }

  private func draw(
    _ step: Step, _ account: Int
  ) throws(APIFailure) -> (MediaName, [(name: String, value: JSONValue)]) {
    let scene = step.picture.record["sceneDescription"]?.string ?? ""
    let request = PictureRequest(
      .scene(scene, story: step.story["title"]?.string ?? ""), hero: step.hero.map(StoryHero.init))
    let (name, isPlaceholder) = try workshop.draw(
      request, account, .illustrations, step.picture.id)
    return (
      name,
      [
        ("generationStatus", "completed"), ("imageUrl", .string(name.path)), ("error", nil),
        ("isPlaceholder", isPlaceholder ? true : nil),
      ]
    )
  }
}
