import JSONText

extension Service {
  func makeAvatar(
    _ id: RecordID, _ body: JSONNode, _ request: ServerRequest, _ account: Int, _ now: Int64
  ) throws(APIFailure) -> ServerResponse {
    let wish = try text("prompt", body)
    return try once(request, RememberedRequest.asked("avatar", id.text), body, account, now) {
      (remembered) throws(APIFailure) in
      guard let hero = try workshop.record(.heroes, id, account) else {
        throw .noSuchRecord(.heroes)
      }
      try workshop.require(.avatar, account, now)
      let (name, isPlaceholder) = try workshop.draw(
        PictureRequest(.avatar(wish: wish), hero: StoryHero(hero)), account, .heroes, id)
      let generation = IssuedSession.uuid(options.random)
      let answer: JSONValue = [
        "heroId": .string(id.text), "avatarUrl": .string(name.path),
        "generationId": .string(generation),
      ]
      try committed(name, account, now) { (changes) throws(APIFailure) in
        try changes.use(.avatar, limit: workshop.generation.limit(of: .avatar))
        let changed = try changes.change(
          .heroes, id,
          [
            ("avatarUrl", .string(name.path)), ("avatarGenerationId", .string(generation)),
            ("avatarIsPlaceholder", isPlaceholder ? true : nil),
          ])
        guard changed != nil else { throw .noSuchRecord(.heroes) }
        changes.remember(remembered, answer: answer.compactBytes)
      }
      return answer.compactBytes
    }
  }

  /// Answers `POST` that narrates a story. An existing narration stays unless `regenerate` is true.
  func makeAudio(
    _ id: RecordID, _ body: JSONNode, _ request: ServerRequest, _ account: Int, _ now: Int64
  ) throws(APIFailure) -> ServerResponse {
    let regenerates = try flag("regenerate", body)
    let voice = try text("voice", body)
    return try once(request, RememberedRequest.asked("audio", id.text), body, account, now) {
      (remembered) throws(APIFailure) in
      guard let story = try workshop.record(.stories, id, account) else {
        throw .noSuchRecord(.stories)
      }
      if !regenerates, story["audioGenerationStatus"]?.string == "completed" {
        return Self.audio(of: story).compactBytes
      }
      try workshop.require(.audio, account, now)
      let told = Workshop.text(of: story)
      let narration = try narrated(id, told, voice, account, now)
      let name = narration.name
      let duration = JSONValue.seconds(narration.seconds)
      let answer: JSONValue = [
        "audioUrl": .string(name.path), "audioDuration": duration, "status": "completed",
        "voice": .string(narration.voice),
      ]
      try committed(name, account, now) { (changes) throws(APIFailure) in
        try changes.use(.audio, limit: workshop.generation.limit(of: .audio))
        guard let current = try changes.record(.stories, id) else { throw .noSuchRecord(.stories) }
        guard Workshop.text(of: current) == told else {
          throw APIFailure(
            409, "changedMeanwhile", "The story was changed while it was read; ask again.")
        }
        try changes.change(
          .stories, id,
          [
            ("audioUrl", .string(name.path)), ("audioGenerationStatus", "completed"),
            ("audioDuration", duration), ("audioError", nil),
          ])
        changes.remember(remembered, answer: answer.compactBytes)
      }
      return answer.compactBytes
    }
  }

  func audio(
    _ id: RecordID, _ request: ServerRequest, _ account: Int
  ) throws(APIFailure) -> ServerResponse {
    guard let story = try workshop.record(.stories, id, account) else {
      throw .noSuchRecord(.stories)
    }
    let answer = Self.audio(of: story).compactBytes
    return ServerResponse(
      200, body: dialect.record(dialect.shown(answer, of: .stories, media(for: request))))
  }

  private static func audio(of story: JSONNode) -> JSONValue {
    var object: JSONObject = [
      "audioUrl": story["audioUrl"]?.value ?? nil,
      "audioDuration": story["audioDuration"]?.value ?? nil,
      "status": story["audioGenerationStatus"]?.value ?? "pending",
    ]
    if let error = story["audioError"] { object["error"] = error.value }
    return .object(object)
  }

  /// Narrates a story. A failure is also recorded in the story if it has no narration yet.
  private func narrated(
    _ id: RecordID, _ text: (title: String, content: String, language: String), _ voice: String?,
    _ account: Int, _ now: Int64
  ) throws(APIFailure) -> (name: MediaName, voice: String, seconds: Double) {
    do throws(APIFailure) {
      return try workshop.narrate(text, voice: voice, account, id)
    } catch {
      if error.isCancellation { throw error }
      let reason = error.message
      try store.change(account, now: now) { (changes) throws(APIFailure) in
        guard let story = try changes.record(.stories, id), story["audioUrl"]?.string == nil,
          Workshop.text(of: story) == text
        else { return }
        try changes.change(
          .stories, id,
          [("audioGenerationStatus", "failed"), ("audioError", .string(reason))])
      }
      throw error
    }
  }

  /// Answers `GET` of the remaining allowance for each limit.
  func usage(_ account: Int, _ now: Int64) -> ServerResponse {
    let allowance = store.withState { $0[account].allowance }
    var members = JSONObject()
    for what in Making.allCases {
      let use = allowance.use(of: what, now: now)
      let limit = workshop.generation.limit(of: what)
      members[what.rawValue] = [
        "limit": .number(limit),
        "remaining": .number(max(0, limit - use.count)),
        "resetAt": .string(Timestamp(milliseconds: use.since + Allowance.period).text),
      ]
    }
    return ServerResponse(200, body: dialect.record(JSONValue.object(members).compactBytes))
  }

  // MARK: Parts

  /// Makes a change that references a new file, then removes the file that it replaces. If the
  /// change fails, removes the new file instead.
  func committed(
    _ name: MediaName, _ account: Int, _ now: Int64,
    _ change: (inout Transaction) throws(APIFailure) -> Void
  ) throws(APIFailure) {
    do throws(APIFailure) {
      try store.change(account, now: now, change)
    } catch {
      workshop.media.remove(name)
      throw error
    }
    workshop.media.remove(name.kind, name.record, of: account, except: name.file)
  }

  func flag(_ name: String, _ body: JSONNode) throws(APIFailure) -> Bool {
    switch body[name]?.kind {
    case nil, .null, .false: return false
    case .true: return true
    default: throw .validation([(name, "must be true or false")])
    }
  }

  func text(_ name: String, _ body: JSONNode) throws(APIFailure) -> String? {
    guard let member = body[name], member.kind != .null else { return nil }
    guard let text = member.string, text.utf8.count <= 2000 else {
      throw .validation([(name, "must be a string of at most 2000 bytes")])
    }
    return text
  }

  /// Answers `POST` for a story's illustrations with 202 and their status. They are drawn in the
  /// background.
  ///
  /// Existing illustrations stay unless `regenerate` is true; failed ones are tried again.
  func makeIllustrations(
    _ id: RecordID, _ body: JSONNode, _ request: ServerRequest, _ account: Int, _ now: Int64
  ) throws(APIFailure) -> ServerResponse {
    let regenerates = try flag("regenerate", body)
    let response = try once(
      request, RememberedRequest.asked("illustrations", id.text), body, account, status: 202, now
    ) {
      (remembered) throws(APIFailure) in
      try store.change(account, now: now) { (changes) throws(APIFailure) in
        guard let story = try changes.record(.stories, id) else { throw .noSuchRecord(.stories) }
        let album = Album(story: story, hero: try changes.hero(of: story))
        let limit = workshop.generation.limit(of: .illustrations)
        let asked = try album.order(
          regenerates: regenerates, limit: limit, newID: newID, in: &changes)
        let answer = asked.progress.compactBytes
        changes.remember(remembered, answer: answer)
        return answer
      }
    }
    workshop.ring()
    return response
  }

  func illustrationStatus(_ id: RecordID, _ account: Int) throws(APIFailure) -> ServerResponse {
    let status = try store.change(account, now: options.clock()) { (changes) throws(APIFailure) in
      guard try changes.record(.stories, id) != nil else { throw .noSuchRecord(.stories) }
      return try Album.pictures(of: id, changes).progress
    }
    return ServerResponse(200, body: dialect.record(status.compactBytes))
  }

  func illustrations(
    _ id: RecordID, _ request: ServerRequest, _ account: Int
  ) throws(APIFailure) -> ServerResponse {
    let records = try illustrations(of: id, account, media(for: request))
    return ServerResponse(200, body: dialect.record(records))
  }

  /// Returns a story's illustrations as a JSON array, in order.
  ///
  /// - Throws: `APIFailure` with status 404 if there is no such story.
  func illustrations(
    of story: RecordID, _ account: Int, _ media: MediaLinks
  ) throws(APIFailure) -> [UInt8] {
    let records = try store.change(account, now: options.clock()) {
      (changes) throws(APIFailure) -> [[UInt8]] in
      guard try changes.record(.stories, story) != nil else { throw .noSuchRecord(.stories) }
      return try Album.pictures(of: story, changes).map(\.record.document.bytes)
    }
    return ServerAPI.array(records.map { dialect.shown($0, of: .illustrations, media) })
  }
}

extension JSONValue {
  /// Returns seconds as a number with one decimal.
  static func seconds(_ seconds: Double) -> JSONValue {
    // A record may hold any number as its duration.
    let tenths = Int(exactly: (seconds * 10).rounded()).map { min(max(0, $0), 1 << 40) } ?? 0
    return JSONNumber(literal: "\(tenths / 10).\(tenths % 10)").map { .number($0) } ?? .null
  }
}
