import JSONText

struct Album {
  let story: JSONNode
  let hero: JSONNode?

  struct Picture {
    var id: RecordID
    var order: Int
    var record: JSONNode

    var status: String { record["generationStatus"]?.string ?? "pending" }
  }

  static func pictures(
    of story: RecordID, _ changes: borrowing Transaction
  ) throws(APIFailure) -> [Picture] {
    var pictures: [Picture] = []
    for id in changes.state[.illustrations].ids(of: [story]) {
      guard let record = try changes.record(.illustrations, id) else { continue }
      pictures.append(
        Picture(
          id: id, order: record["displayOrder"]?.number?.integer ?? 0, record: record))
    }
    return pictures.sorted { ($0.order, $0.id) < ($1.order, $1.id) }
  }

  /// Creates the record of a picture still to be drawn, or resets that of an earlier picture.
  @discardableResult
  static func put(
    _ scene: Scene, of story: RecordID, over earlier: Picture? = nil, newID: () -> RecordID,
    in changes: inout Transaction
  ) throws(APIFailure) -> Picture {
    let values = scene.values(story: story.text)
    let draft = RecordDraft(.illustrations, values)
    let id = earlier?.id ?? newID()
    if earlier == nil {
      changes.create(draft, id: id)
    } else {
      try changes.change(.illustrations, id, values)
    }
    return Picture(id: id, order: scene.order, record: try draft.document(id: id.text))
  }

  /// Requests the story's illustrations: opens the work, and creates missing records.
  ///
  /// - Parameter limit: The hourly limit, or `nil` if the request has already been counted.
  /// - Returns: The illustrations after the request.
  /// - Throws: `APIFailure` with status 429, or 400 for a story without text.
  func order(
    regenerates: Bool, limit: Int? = nil, newID: () -> RecordID, in changes: inout Transaction
  ) throws(APIFailure) -> [Picture] {
    let story = RecordID(self.story["id"]?.string ?? "")
    let present = try Self.pictures(of: story, changes)
    let isOpen = changes.state.work.contains(story)
    let isComplete = !present.isEmpty && present.allSatisfy { $0.status == "completed" }
    if !regenerates, isOpen || isComplete { return present }
    let scenes = Scene.all(of: self.story, hero: hero)
    guard !scenes.isEmpty else { throw .validation([("content", "has nothing to draw")]) }
    if let limit { try changes.use(.illustrations, limit: limit) }
    changes.setWork(story, isOpen: true)
    var pictures: [Picture] = []
    for scene in scenes {
      let earlier = present.first { $0.order == scene.order }
      if let earlier, !regenerates, earlier.status == "completed" {
        pictures.append(earlier)
      } else {
        pictures.append(
          try Self.put(scene, of: story, over: earlier, newID: newID, in: &changes))
      }
    }
    changes.delete(
      .illustrations, present.filter { $0.order > scenes.count || $0.order < 1 }.map(\.id))
    try changes.change(
      .stories, story, [("illustrationStatus", "pending"), ("illustrationCount", 0)])
    return pictures
  }
}

extension [Album.Picture] {
  private func count(_ status: String) -> Int { count { $0.status == status } }

  /// The combined status of a story's illustrations.
  var status: String {
    let (completed, failed) = (self.count("completed"), self.count("failed"))
    if isEmpty { return "none" }
    if self.count("pending") == count { return "pending" }
    if completed + failed < count { return "processing" }
    return failed == 0 ? "completed" : completed == 0 ? "failed" : "partial"
  }

  /// The progress of a story's illustrations, as sent over the wire.
  var progress: JSONValue {
    let done = self.count("completed") + self.count("failed")
    let rows = map { picture in
      var row: JSONObject = [
        "id": .string(picture.id.text), "displayOrder": .number(picture.order),
        "status": .string(picture.status),
        "hasImage": picture.record["imageUrl"]?.string == nil ? false : true,
      ]
      if let error = picture.record["error"]?.string { row["error"] = .string(error) }
      return JSONValue.object(row)
    }
    return [
      "status": .string(status), "progress": .number(isEmpty ? 0 : 100 * done / count),
      "total": .number(count), "completed": .number(self.count("completed")),
      "processing": .number(self.count("processing")), "failed": .number(self.count("failed")),
      "pending": .number(self.count("pending")), "illustrations": .array(rows),
    ]
  }
}
