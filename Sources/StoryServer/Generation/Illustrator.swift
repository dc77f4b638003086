import JSONText

/// Draws the illustrations of stories, one after another, on its own thread.
///
/// Open work is in the log, so a restarted server continues it. The story's record changes when its
/// work begins and ends, an illustration's record with each step.
final class Illustrator: Sendable {
  private let service: Service
  private let thread = Monitor<ServerThread?>(nil)
  private let isStopping = Monitor(false)

  private var workshop: Workshop { service.workshop }
  private var store: Store { service.store }
  private var options: ServerOptions { service.options }

  init(service: Service) { self.service = service }

  func start() {
    let started = ServerThread { [self] in run() }
    thread.withLock { $0 = started }
  }

  /// Stops the thread. An illustration that is being drawn is left to the next start. Call this
  /// exactly once, after ``Workshop/stopEngines()``.
  func stop() {
    isStopping.change { $0 = true }
    workshop.ring()
    thread.withLock { $0 }?.join()
  }

  private func run() {
    while true {
      // Read the bell before checking for the end, so that a ring in between is not missed below.
      let heard = workshop.bell.withLock { $0 }
      guard !isStopping.withLock({ $0 }) else { return }
      var isIdle = true
      for (account, story) in openWork() where !isStopping.withLock({ $0 }) {
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
    while !isStopping.withLock({ $0 }) {
      let next: Step
      switch try begin(story, account) {
      case .picture(let step): next = step
      case .more: continue
      case .done: return
      }
      var outcome: [(name: String, value: JSONValue)]
      var name: MediaName?
      if let failure = service.hook.withLock({ $0 })?
        .failure(ofPicture: next.picture.order, story: story.text)
      {
        outcome = [("generationStatus", "failed"), ("error", .string(failure))]
      } else if isStopping.withLock({ $0 }) {
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

  private enum Beginning {
    case picture(Step)
    /// The records were created. Drawing comes next.
    case more
    case done
  }

  private struct Step {
    var picture: Album.Picture
    var story: JSONNode
    var hero: JSONNode?
  }

  /// Marks the next illustration as being drawn, or the work as done.
  private func begin(_ id: RecordID, _ account: Int) throws(APIFailure) -> Beginning {
    try store.change(account, now: options.clock()) { (changes) throws(APIFailure) in
      var pictures = try Album.pictures(of: id, changes)
      guard let story = try changes.record(.stories, id) else {
        // The story was deleted, or the log ended before it was written.
        changes.delete(.illustrations, pictures.map(\.id))
        changes.setWork(id, isOpen: false)
        return .done
      }
      let hero = try changes.hero(of: story)
      if pictures.isEmpty {
        // The work was imported with a library's records, or the log ended before the
        // illustrations.
        for scene in Scene.all(of: story, hero: hero) {
          pictures.append(try Album.add(scene, of: id, id: service.newID(), to: &changes))
        }
        if !pictures.isEmpty { return .more }
      }
      let unfinished = pictures.first { $0.status == "processing" || $0.status == "pending" }
      guard let unfinished else {
        changes.setWork(id, isOpen: false)
        let count = pictures.count { $0.status == "completed" }
        try changes.change(
          .stories, id,
          [
            ("illustrationStatus", .string(AlbumStatus(pictures: pictures).summary)),
            ("illustrationCount", .number(JSONNumber(count))),
          ])
        return .done
      }
      try changes.change(
        .illustrations, unfinished.id, [("generationStatus", "processing"), ("error", nil)])
      try changes.change(.stories, id, [("illustrationStatus", "processing")])
      return .picture(Step(picture: unfinished, story: story, hero: hero))
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
