import TestSupport
import Testing

@testable import StoryServer

@Suite struct RecordCollectionTests {
  private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

  private func data(_ number: Int) -> Range<Int> { number..<number + 10 }

  @Test func ordersByTimeThenID() {
    var collection = RecordCollection()
    for (place, id) in ["c", "a", "b"].enumerated() {
      collection.put(RecordID(id), at: at(5), hero: nil, data: data(place))
    }
    collection.put(RecordID("0"), at: at(6), hero: nil, data: data(9))
    #expect(collection.ordered.map(\.id.text) == ["a", "b", "c", "0"])
    collection.put(RecordID("a"), at: at(7), hero: nil, data: data(10))
    collection.delete(RecordID("c"), at: at(8))
    #expect(collection.ordered.map(\.id.text) == ["b", "0", "a", "c"])
    #expect(collection.liveCount == 3)
    #expect(collection.live(RecordID("c")) == nil)
    #expect(collection.slot(RecordID("c"))?.isDeleted == true)
  }

  @Test func keepsThePlaceOfWhatIsWrittenAgainAtItsTime() {
    var collection = RecordCollection()
    collection.put(RecordID("a"), at: at(5), hero: nil, data: data(1))
    collection.put(RecordID("b"), at: at(5), hero: nil, data: data(2))
    collection.put(RecordID("a"), at: at(5), hero: nil, data: data(3))
    #expect(collection.ordered.map(\.id.text) == ["a", "b"])
    #expect(collection.live(RecordID("a"))?.data == data(3))
  }

  /// The collection against a plain model, over random changes; time sometimes stands still.
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func agreesWithAModel(seed: UInt64) {
    struct Row: Equatable {
      var at: Int64
      var id: String
      var hero: String?
      var isDeleted = false
    }
    var random = SeededGenerator(seed: seed)
    var model: [String: Row] = [:]
    var collection = RecordCollection()
    var clock: Int64 = 1000
    for step in 0..<3000 {
      let id = "r\(Int.random(in: 0..<120, using: &random))"
      let hero = Bool.random(using: &random) ? "h\(Int.random(in: 0..<3, using: &random))" : nil
      clock += Int64.random(in: 0...1, using: &random)
      let previous = model[id]
      clock = max(clock, previous.map { $0.at + 1 } ?? clock)
      if let previous, !previous.isDeleted, Int.random(in: 0..<5, using: &random) == 0 {
        collection.delete(RecordID(id), at: at(clock))
        model[id] = Row(at: clock, id: id, isDeleted: true)
      } else if previous?.isDeleted != true {
        collection.put(
          RecordID(id), at: at(clock), hero: hero.map { RecordID($0) }, data: data(step))
        model[id] = Row(at: clock, id: id, hero: hero)
      }
      guard step % 50 == 0 else { continue }
      let rows = model.values.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
      var query = ListQuery()
      query.limit = Int.random(in: 1...20, using: &random)
      query.includesDeleted = Bool.random(using: &random)
      if Bool.random(using: &random) { query.heroID = RecordID("h1") }
      if Bool.random(using: &random) {
        query.updatedAfter = at(Int64.random(in: 1000...clock, using: &random))
      }
      if Bool.random(using: &random) {
        query.offset = Int.random(in: 0...30, using: &random)
      } else if let place = rows.randomElement(using: &random) {
        query.cursor = Cursor(at: at(place.at), id: RecordID(place.id))
      }
      let filtered = rows.filter { row in
        (query.heroID == nil || row.hero == query.heroID?.text)
          && (query.updatedAfter.map { at(row.at) >= $0 } ?? true)
      }
      let shown = filtered.filter { row in
        (query.includesDeleted || !row.isDeleted)
          && (query.cursor.map { ($0.at, $0.id) < (at(row.at), RecordID(row.id)) } ?? true)
      }.dropFirst(query.offset ?? 0)
      let page = collection.page(query, bytes: .max)
      #expect(page.slots.map(\.id.text) == shown.prefix(query.limit).map(\.id))
      #expect(page.total == filtered.count { !$0.isDeleted })
      #expect(page.hasMore == (shown.count > query.limit))
    }
    let live = model.values.filter { !$0.isDeleted }
    #expect(collection.liveCount == live.count)
    #expect(
      Set(collection.ids(of: [RecordID("h2")]).map(\.text))
        == Set(live.filter { $0.hero == "h2" }.map(\.id)))
  }

  @Test func endsAPageThatHasTooManyBytes() {
    var collection = RecordCollection()
    for id in ["a", "b", "c"] {
      collection.put(RecordID(id), at: at(1), hero: nil, data: 0..<60)
    }
    let page = collection.page(ListQuery(), bytes: 130)
    #expect(page.slots.map(\.id.text) == ["a", "b"])
    #expect(page.hasMore)
    let large = collection.page(ListQuery(), bytes: 10)
    #expect(large.slots.map(\.id.text) == ["a"], "one record always fits")
  }

  @Test func tellsIDsApartByTheirBytes() {
    var collection = RecordCollection()
    collection.put(RecordID("caf\u{E9}"), at: at(1), hero: nil, data: data(1))
    collection.put(RecordID("cafe\u{301}"), at: at(1), hero: nil, data: data(2))
    #expect(collection.liveCount == 2)
  }
}
