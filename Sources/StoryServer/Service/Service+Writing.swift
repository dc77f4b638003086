import JSONText

extension Service {
  /// Answers `POST` of a story without content: writes it and, with `generateAudio` and
  /// `generateIllustrations`, narrates it and has it illustrated.
  ///
  /// The story appears together with its narration. An idempotency key covers all of it.
  func writeStory(
    _ body: JSONNode, _ request: ServerRequest, _ account: Int, _ now: Int64
  ) throws(APIFailure) -> ServerResponse {
    // The content is that of a create, so that the key also holds for one.
    try once(
      request, RememberedRequest.asked("create stories", ""), body, account, status: 201, now
    ) {
      (remembered) throws(APIFailure) in
      try newStory(body, remembered, account, now)
    }
  }

  private func newStory(
    _ body: JSONNode, _ remembered: RememberedRequest?, _ account: Int, _ now: Int64
  ) throws(APIFailure) -> [UInt8] {
    let wish = try StoryWish(body)
    guard let hero = try workshop.record(.heroes, wish.hero, account) else {
      throw .validation([("heroId", "names no hero")])
    }
    var event: JSONNode?
    if let id = wish.customEvent {
      event = try workshop.record(.customEvents, id, account)
      if event == nil { throw .validation([("customEventId", "names no custom event")]) }
    }
    var makings = wish.makings
    for what in makings { try workshop.require(what, account, now) }
    let id = newID()
    var order = StoryRequest(wish, hero: hero, event: event)
    order.earlierTitles = try workshop.titles(of: wish.hero, account)
    order.scenes = Scene.most
    let story = try workshop.ask { [order] engine throws(EngineError) in
      try await engine.write(order)
    }
    if let problem = Self.problem(with: story) { throw .engine(problem) }
    var values = wish.values(story)
    var name: MediaName?
    if wish.wantsAudio {
      // Keep the story even if its narration fails.
      do throws(APIFailure) {
        let narration = try workshop.narrate(
          (wish.title ?? story.title, story.content, wish.language), voice: wish.voice, account, id)
        name = narration.name
        values += [
          ("audioUrl", .string(narration.name.path)), ("audioGenerationStatus", "completed"),
          ("audioDuration", .seconds(narration.seconds)),
        ]
      } catch {
        if error.isCancellation { throw error }
        makings.removeAll { $0 == .audio }
        values += [("audioGenerationStatus", "failed"), ("audioError", .string(error.message))]
      }
    }
    let draft = RecordDraft(.stories, values)
    let record: [UInt8]
    do throws(APIFailure) {
      record = try store.change(account, now: now) { [makings] (changes) throws(APIFailure) in
        guard try changes.record(.heroes, wish.hero) != nil else {
          throw .validation([("heroId", "names no hero")])
        }
        for what in makings {
          try changes.use(what, limit: workshop.generation.limit(of: what))
        }
        if let id = wish.customEvent {
          let count = Self.oneMore(than: try changes.record(.customEvents, id)?["usageCount"])
          try changes.change(
            .customEvents, id, [("usageCount", .number(count))])
        }
        if wish.wantsIllustrations {
          _ = try Album(story: try draft.document(id: id.text), hero: hero)
            .order(regenerates: false, newID: newID, in: &changes)
        }
        return changes.create(draft, id: id, remembered: remembered)
      }
    } catch {
      if let name { workshop.media.remove(name) }
      throw error
    }
    workshop.ring()
    return record
  }

  private static func problem(with story: WrittenStory) -> EngineError? {
    if story.content.allSatisfy(\.isWhitespace) { return .empty }
    if story.title.isEmpty { return .unusable("it has no title") }
    guard story.title.unicodeScalars.count <= 500, !story.title.contains(where: \.isNewline) else {
      return .unusable("its title is too long or has several lines")
    }
    return story.content.utf8.count > 1 << 20 ? .unusable("the story is too long") : nil
  }
}

/// The parameters of a request to write a story.
struct StoryWish {
  var hero: RecordID
  var event: BuiltInEvent?
  var customEvent: RecordID?
  var language: String
  var title: String?
  var voice: String?
  var wantsAudio: Bool
  var wantsIllustrations: Bool

  /// - Throws: `APIFailure` with status 400 naming every invalid field.
  init(_ body: JSONNode) throws(APIFailure) {
    var problems: [(String, String)] = []
    func text(_ name: String) -> String? {
      guard let member = body[name], member.kind != .null else { return nil }
      guard let text = member.string, !text.isEmpty else {
        problems.append((name, "must be a string that is not empty"))
        return nil
      }
      return text
    }
    func flag(_ name: String) -> Bool {
      switch body[name]?.kind {
      case nil, .null, .false: return false
      case .true: return true
      default:
        problems.append((name, "must be true or false"))
        return false
      }
    }
    let heroID = text("heroId")
    if heroID == nil, problems.isEmpty { problems.append(("heroId", "is missing")) }
    hero = RecordID(heroID ?? "")
    customEvent = text("customEventId").map { RecordID($0) }
    if let name = text("eventType") {
      event = BuiltInEvent(rawValue: name)
      if event == nil {
        let names = BuiltInEvent.allCases.map(\.rawValue).joined(separator: ", ")
        problems.append(("eventType", "must be one of \(names)"))
      } else if customEvent != nil {
        problems.append(("eventType", "cannot be used together with customEventId"))
      }
    }
    language = text("language") ?? "en"
    if !StoryRequest.languages.contains(language) {
      problems.append(
        ("language", "must be one of \(StoryRequest.languages.joined(separator: ", "))"))
    }
    title = text("title")
    if let title, title.unicodeScalars.count > 500 {
      problems.append(("title", "must have at most 500 characters"))
    }
    voice = text("voice")
    wantsAudio = flag("generateAudio")
    wantsIllustrations = flag("generateIllustrations")
    guard problems.isEmpty else { throw .validation(problems) }
    if event == nil, customEvent == nil { event = .bedtime }
  }

  /// Everything made for the story. Each item counts toward its own limit.
  var makings: [Making] {
    [.story] + (wantsAudio ? [.audio] : []) + (wantsIllustrations ? [.illustrations] : [])
  }

  func values(_ story: WrittenStory) -> [(name: String, value: JSONValue)] {
    [
      ("title", .string(title ?? story.title)), ("content", .string(story.content)),
      ("heroId", .string(hero.text)), ("language", .string(language)),
      ("eventType", event.map { .string($0.rawValue) } ?? nil),
      ("customEventId", customEvent.map { .string($0.text) } ?? nil),
      ("illustrationStatus", wantsIllustrations ? "pending" : "none"),
      (
        "scenes",
        story.scenes.isEmpty
          ? nil
          : .array(
            story.scenes.prefix(Scene.most).map {
              [
                "paragraph": .number($0.paragraph),
                "description": .string($0.description),
              ]
            })
      ),
      ("isPlaceholder", story.isPlaceholder ? true : nil),
    ]
  }
}

extension StoryRequest {
  init(_ wish: StoryWish, hero: JSONNode, event: JSONNode?) {
    var what = Event.builtIn(wish.event ?? .bedtime)
    if let event {
      what = .custom(
        CustomEvent(
          title: event["title"]?.string ?? "", prompt: event["promptSeed"]?.string ?? "",
          tone: event["tone"]?.string ?? "",
          keywords: event["keywords"]?.elements.compactMap(\.string) ?? [],
          ageRange: event["ageRange"]?.string))
    }
    self.init(hero: StoryHero(hero), event: what, language: wish.language)
  }
}
