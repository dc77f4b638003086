import JSONText
import StoryAPI
import StoryLibrary
import StorySync

/// Requests things from the server, waits for them, and saves the server's versions of the records.
///
/// Each request is sent once, with an idempotency key. If the server does not support keys and the
/// response is lost, the server is queried for the result instead.
struct Generator: Sendable {
  let repositories: Repositories
  let options: GenerationOptions
  /// The key of the one request for something new, however often the ``Generation`` is run.
  let key = RemoteWrite.makeKey()

  private var time: TimeSource { repositories.time }

  // MARK: Stories

  func story(_ wish: StoryWish) -> Generation {
    Generation { tell in
      // Before the server makes, and charges for, a story that no scan would look at.
      let place = RecordRef(kind: .stories, name: Path.join(wish.folder, "story"))
      if let problem = repositories.library.nameProblem(of: place) { throw problem }
      let hero = try await known(RecordRef(kind: .heroes, name: wish.hero), tell)
      var event = StoryOrder.Event.builtIn("bedtime")
      switch wish.event {
      case .builtIn(let name): event = .builtIn(name)
      case .custom(let name):
        let known = try await known(RecordRef(kind: .events, name: name), tell)
        event = .custom(id: known.sidecar.id)
      }
      let order = StoryOrder(
        heroID: hero.sidecar.id, event: event, language: wish.language,
        withAudio: wish.withAudio, withIllustrations: wish.withIllustrations)
      let client = try await repositories.client()
      let story = try await write(order, client, tell)
      let ref = try await takeNew(story, folder: wish.folder)
      tell(.recorded(ref))
      var result = GenerationResult(ref: ref)
      result.isPlaceholder = story.server["isPlaceholder"]?.bool ?? false
      if wish.withAudio { result.audio = try await pollAudio(story.id, client, &result, tell) }
      if wish.withIllustrations {
        try await pollPictures(story.id, client, &result, tell)
        try await repositories.pullIllustrations(of: [(ref, story.id)])
      }
      if wish.withAudio || wish.withIllustrations {
        try await refresh(ref, with: client.record(.stories, id: story.id))
      }
      return result
    }
  }

  /// Rewrites a story in place. The server writes another story. This story gets its text as an
  /// edit, the other one is deleted, and the edit is pushed even if that fails.
  ///
  /// If this story's text was changed meanwhile, the other one stays and becomes a new record.
  func rewriting(_ ref: RecordRef) -> Generation {
    Generation { tell in
      let known = try await known(ref, tell)
      guard known.entry.state == .synced else { throw GenerationError.notSent(ref, .hasEdits) }
      // Before the server makes, and charges for, a text that could not be written.
      try OpenRecords(repositories.library).check([ref])
      let base = known.sidecar.base.wire
      guard let heroID = base["heroId"]?.string else { throw GenerationError.notOnServer(ref) }
      let event =
        base["customEventId"]?.string.map { StoryOrder.Event.custom(id: $0) }
        ?? .builtIn(base["eventType"]?.string ?? "bedtime")
      let order = StoryOrder(
        heroID: heroID, event: event, language: base["language"]?.string ?? "en")
      let client = try await repositories.client()
      let story = try await write(order, client, tell)
      // A placeholder must not replace an existing text.
      if story.server["isPlaceholder"]?.bool == true {
        try await delete(story, client)
        throw GenerationError.placeholder(ref)
      }
      guard let rewritten = try await replaceText(of: known.sidecar, with: story) else {
        let kept = try await takeNew(story, folder: Path.parent(ref.name))
        tell(.recorded(kept))
        throw GenerationError.changedMeanwhile(ref, kept: kept)
      }
      tell(.recorded(rewritten))
      do throws(APIError) {
        try await delete(story, client)
      } catch {
        guard error != .cancelled else { throw error }
        _ = try? await push([rewritten], tell)
        throw GenerationError.copyNotDeleted(rewritten, id: story.id)
      }
      if let reason = notSent(rewritten, try await push([rewritten], tell)) {
        throw GenerationError.textNotSent(rewritten, reason)
      }
      return GenerationResult(ref: rewritten)
    }
  }

  /// Deletes a story whose text was taken, unless an earlier run of the generation has done so.
  private func delete(_ story: RemoteRecord, _ client: APIClient) async throws(APIError) {
    let deletion = RemoteWrite(
      operation: .delete, kind: .stories, id: story.id, revision: story.updatedAt,
      idempotencyKey: RemoteWrite.makeKey())
    do throws(APIError) {
      _ = try await client.perform(deletion)
    } catch {
      guard error == .notFound else { throw error }
    }
  }

  /// Returns the new story. The request is never repeated if the server might carry it out twice.
  private func write(
    _ order: StoryOrder, _ client: APIClient, _ tell: Generation.Tell
  ) async throws -> RemoteRecord {
    let before =
      try await isOnce(client) ? [] : Set(stories(of: order.heroID, client).map(\.id))
    var found: [RemoteRecord] = []
    tell(.working)
    _ = try await once(client, tell) { key throws(APIError) in
      found = [try await client.generateStory(order, idempotencyKey: key)]
    } lookUp: {
      found = try await stories(of: order.heroID, client).filter { story in
        !before.contains(story.id) && order.fits(story)
      }
      return !found.isEmpty
    }
    guard let story = found.first else { throw GenerationError.answerLost }
    guard found.count == 1 else { throw GenerationError.severalMade(found.count) }
    return story
  }

  private func stories(of heroID: String, _ client: APIClient) async throws -> [RemoteRecord] {
    var request = PageRequest(limit: 100)
    request.heroID = heroID
    var records: [RemoteRecord] = []
    while true {
      let page = try await client.page(of: .stories, request)
      records += page.records
      guard page.hasMore, !page.records.isEmpty else { return records }
      if let next = page.next {
        request.cursor = next
      } else {
        request.offset += page.records.count
      }
    }
  }

  // MARK: Avatars

  func avatar(_ ref: RecordRef, prompt: String?) -> Generation {
    Generation { tell in
      let known = try await known(ref, tell)
      let had = MediaItem(.avatars, of: ref, id: known.sidecar.id, server: known.sidecar.server)
      var result = GenerationResult(ref: ref)
      if had != nil, !options.regenerates, prompt == nil {
        result.existed = true
        return result
      }
      let client = try await repositories.client()
      tell(.working)
      let isMade = try await once(client, tell) { key throws(APIError) in
        _ = try await client.generateAvatar(
          heroID: known.sidecar.id, prompt: prompt, idempotencyKey: key)
      } lookUp: {
        let hero = try await client.record(.heroes, id: known.sidecar.id)
        let now = MediaItem(.avatars, of: ref, id: hero.id, server: hero.server)
        return now != nil && now?.version != had?.version
      }
      guard isMade else { throw GenerationError.answerLost }
      let hero = try await client.record(.heroes, id: known.sidecar.id)
      result.isPlaceholder = hero.server["avatarIsPlaceholder"]?.bool ?? false
      try await refresh(ref, with: hero)
      return result
    }
  }

  // MARK: Narration

  func audio(_ ref: RecordRef, voice: String?) -> Generation {
    Generation { tell in
      let known = try await known(ref, tell)
      var result = GenerationResult(ref: ref)
      let client = try await repositories.client()
      let status = known.sidecar.server["audioGenerationStatus"]?.string ?? "pending"
      let isThere = MediaItem(.audio, of: ref, id: known.sidecar.id, server: known.sidecar.server)
      if isThere != nil, status == "completed", !options.regenerates {
        result.existed = true
        return result
      }
      let language = known.sidecar.base.wire["language"]?.string ?? "en"
      tell(.working)
      _ = try await once(client, tell, isRetry: status == "failed") { key throws(APIError) in
        result.audio = try await client.generateAudio(
          storyID: known.sidecar.id, language: language, voice: voice,
          regenerates: options.regenerates, idempotencyKey: key)
      } lookUp: {
        let answer = try await client.audioStatus(storyID: known.sidecar.id)
        return answer.state.isUnderWay || answer.state == .completed
      }
      if result.audio?.state.isUnderWay ?? true {
        result.audio = try await pollAudio(known.sidecar.id, client, &result, tell)
      }
      try await refresh(ref, with: client.record(.stories, id: known.sidecar.id))
      return result
    }
  }

  private func pollAudio(
    _ id: String, _ client: APIClient, _ result: inout GenerationResult, _ tell: Generation.Tell
  ) async throws -> AudioAnswer {
    try await finalState(&result) {
      let answer = try await client.audioStatus(storyID: id)
      tell(.audio(answer))
      return answer
    } isUnderWay: {
      $0.state.isUnderWay
    }
  }

  // MARK: Pictures

  func illustrations(_ ref: RecordRef) -> Generation {
    Generation { tell in
      let known = try await known(ref, tell)
      let id = known.sidecar.id
      var result = GenerationResult(ref: ref)
      let client = try await repositories.client()
      // Join running work: another request would start over or be refused.
      let status = try await client.illustrationStatus(storyID: id)
      if status.state == .completed, !options.regenerates {
        result.existed = true
        result.pictures = status
      } else {
        if !status.state.isUnderWay || status.total == 0 {
          tell(.working)
          _ = try await once(client, tell, isRetry: [.failed, .partial].contains(status.state)) {
            key throws(APIError) in
            // If some have failed, those are made again on request.
            try await client.generateIllustrations(
              storyID: id, regenerates: options.regenerates, idempotencyKey: key)
          } lookUp: {
            try await client.illustrationStatus(storyID: id).state != .none
          }
        }
        try await pollPictures(id, client, &result, tell)
      }
      try await repositories.pullIllustrations(of: [(ref, id)])
      try await refresh(ref, with: client.record(.stories, id: id))
      return result
    }
  }

  private func pollPictures(
    _ id: String, _ client: APIClient, _ result: inout GenerationResult, _ tell: Generation.Tell
  ) async throws {
    result.pictures = try await finalState(&result) {
      let progress = try await client.illustrationStatus(storyID: id)
      tell(.pictures(progress))
      return progress
    } isUnderWay: {
      // Immediately after the request, a server may not have started to count.
      $0.state.isUnderWay || $0.state == .none
    }
  }

  // MARK: Requests

  /// Sends a request once, and looks up the result if the response is lost.
  ///
  /// - Parameter isRetry: Whether the server has failed at it before, so that it must not repeat that answer.
  /// - Returns: Whether it was made or is being made: `false` if the lookup did not find it in the time
  ///   that the server may take.
  private func once(
    _ client: APIClient, _ tell: Generation.Tell, isRetry: Bool = false,
    _ request: (String) async throws(APIError) -> Void, lookUp: () async throws -> Bool
  ) async throws -> Bool {
    let isOnce = try await isOnce(client)
    do throws(APIError) {
      try await request(isRetry ? RemoteWrite.makeKey() : key)
      return true
    } catch {
      guard error.hasLostAnswer, !isOnce else { throw error }
    }
    tell(.lookingUp)
    var polling = options.polling
    polling.limit = client.configuration.generationTimeout
    return try await poll(polling, lookUp)
  }

  /// Returns whether the server carries out a request with the same key only once.
  private func isOnce(_ client: APIClient) async throws -> Bool {
    try await client.serverInfo().features.contains(.idempotency)
  }

  /// Requests a state repeatedly until it is final; notes in the result if the time limit is
  /// reached first.
  private func finalState<State: Sendable>(
    _ result: inout GenerationResult, _ state: () async throws -> State,
    isUnderWay: (State) -> Bool
  ) async throws -> State {
    var current = try await state()
    guard isUnderWay(current) else { return current }
    let isDone = try await poll(options.polling) {
      current = try await state()
      return !isUnderWay(current)
    }
    if !isDone { result.isStillUnderWay = true }
    return current
  }

  /// Calls `isDone` repeatedly, with increasing waits, until it returns `true`.
  ///
  /// - Returns: Whether it did so within the limit.
  private func poll(_ polling: Polling, _ isDone: () async throws -> Bool) async throws -> Bool {
    let start = time.uptime()
    var wait = polling.first
    while time.uptime() - start + wait <= polling.limit {
      do { try await time.sleep(wait) } catch { throw APIError.cancelled }
      if try await isDone() { return true }
      wait = polling.wait(after: wait)
    }
    return false
  }

  // MARK: Preparing records

  /// Returns the record with its sidecar. Unless the server has this version, the record is sent first
  /// with those that it references, and nothing else.
  private func known(_ ref: RecordRef, _ tell: Generation.Tell) async throws -> (
    entry: ScanEntry, sidecar: Sidecar
  ) {
    var scan = try repositories.scan()
    guard var entry = scan.entry(ref), entry.hasRecord else {
      throw EditError.noSuchRecord(ref, in: scan)
    }
    if entry.state == .draft { throw GenerationError.notSent(ref, .isDraft) }
    if entry.id == nil || entry.state == .pendingUpdate, options.pushes {
      tell(.pushing(ref))
      let report = try await push(Set([entry.ref] + entry.waitsFor), tell)
      if let reason = notSent(entry.ref, report) {
        throw GenerationError.notSent(entry.ref, reason)
      }
      scan = try repositories.scan()
      entry = scan.entry(ref) ?? entry
    }
    guard entry.id != nil else { throw GenerationError.notOnServer(ref) }
    return (entry, try repositories.library.sidecar(of: entry))
  }

  private func notSent(_ ref: RecordRef, _ report: SyncReport) -> GenerationError.NotSent? {
    if let failure = report.failed.first(where: { $0.ref == ref }) ?? report.failed.first {
      return .failed(failure)
    }
    return report.conflicts.contains { $0.ref == ref } ? .isInConflict : nil
  }

  private func push(_ refs: Set<RecordRef>, _ tell: Generation.Tell) async throws -> SyncReport {
    let report = try await repositories.sync(SyncOptions(.push, only: refs))
    if !report.overridden.isEmpty { tell(.decided(report.overridden)) }
    return report
  }
}

extension APIError {
  /// Whether the request may have been carried out without a response.
  package var hasLostAnswer: Bool {
    switch self {
    case .network(let failure): !failure.neverArrived
    case .server(502...504, _), .deadlineExceeded, .decoding: true
    default: false
    }
  }
}

extension StoryOrder {
  fileprivate func fits(_ story: RemoteRecord) -> Bool {
    let fields = story.fields.wire
    guard (fields["language"]?.string ?? "en") == language else { return false }
    switch event {
    case .builtIn(let name): return fields["eventType"]?.string ?? name == name
    case .custom(let id): return fields["customEventId"]?.string ?? id == id
    }
  }
}
