import Testing

@testable import StoryLibrary

@Suite("Reference table")
struct ReferenceTableTests {
  @Test("names, ids and records without an id")
  func meanings() {
    var table = ReferenceTable()
    table.add("heroes/luna", id: "1")
    table.add("heroes/new", id: nil)
    table.add("stories/a", id: "2")
    #expect(table.meaning(of: "heroes/luna") == .id("1"))
    #expect(table.meaning(of: "heroes/new") == .pending)
    #expect(table.meaning(of: "heroes/odd") == .unknown)
    #expect(table.meaning(of: "events/luna") == .unknown)
    #expect(table.name(of: .heroes, id: "1") == "luna")
    #expect(table.name(of: .events, id: "1") == nil)
    #expect(table.contains("stories/a") == false, "nothing names stories")
    #expect(table.names(of: .heroes).sorted() == ["luna", "new"])
  }

  @Test("a record that gets an id, another id, or goes")
  func changes() {
    var table = ReferenceTable()
    table.add("heroes/luna", id: nil)
    table.add("heroes/luna", id: "1")
    #expect(table.meaning(of: "heroes/luna") == .id("1"))
    table.add("heroes/luna", id: "2")
    #expect(table.name(of: .heroes, id: "1") == nil)
    #expect(table.name(of: .heroes, id: "2") == "luna")
    table.remove("heroes/luna")
    #expect(table.meaning(of: "heroes/luna") == .unknown)
    #expect(table.name(of: .heroes, id: "2") == nil)
  }

  @Test("a former id has the record's name, unless another record has the id now")
  func formerIDs() {
    var table = ReferenceTable()
    table.add("heroes/luna", id: "2")
    table.add("heroes/luna", formerID: "1")
    #expect(table.meaning(of: "heroes/luna") == .id("2"))
    #expect(table.name(of: .heroes, id: "1") == "luna")
    table.add("heroes/moon", formerID: "2")
    #expect(table.name(of: .heroes, id: "2") == "luna")
    #expect(table.contains("heroes/moon") == false)
  }

  @Test("of two records with one id, the other keeps its name when one goes")
  func duplicates() {
    var table = ReferenceTable()
    table.add("heroes/a", id: "1")
    table.add("heroes/b", id: "1")
    table.remove("heroes/a")
    #expect(table.name(of: .heroes, id: "1") == "b")
  }

  @Test("an older name stands for its record until another one takes it")
  func aliases() {
    var table = ReferenceTable()
    table.add("heroes/moon", id: "1")
    table.addAlias("heroes/luna", for: "heroes/moon")
    #expect(table.meaning(of: "heroes/luna") == .id("1"))
    #expect(table.contains("heroes/luna") == false)
    #expect(table.names(of: .heroes) == ["moon"])
    table.add("heroes/luna", id: nil)
    #expect(table.meaning(of: "heroes/luna") == .pending)
  }

  @Test("a record whose sidecar does not say its id was on the server all the same")
  func unidentified() {
    var table = ReferenceTable()
    table.add("heroes/luna", id: nil, isUnidentified: true)
    table.addAlias("heroes/old", for: "heroes/luna")
    #expect(table.meaning(of: "heroes/luna") == .unidentified)
    #expect(table.meaning(of: "heroes/old") == .unidentified)
    #expect(table.contains("heroes/luna"))
    table.add("heroes/luna", id: "1", isUnidentified: true)
    #expect(table.meaning(of: "heroes/luna") == .id("1"))
    table.add("heroes/luna", id: nil)
    #expect(table.meaning(of: "heroes/luna") == .pending)
  }
}
