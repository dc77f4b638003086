import JSONText
import StoryLibrary
import StoryPages
import TestSupport
import Testing

@testable import stories

/// What somebody typed is used, or shown again; it is never dropped.
@Suite(.inTurn) struct BrowseConflictTextTests {
  private static let story = ConflictedLibraries.story
  private let ref = RecordRef(kind: .stories, name: "2026/first-snow")

  /// What came of a form: the status, and the texts of the fields and messages.
  private func seen(_ outcome: BrowseConflicts.Outcome) -> (status: Int, texts: [String]) {
    switch outcome {
    case .resolved: (303, [])
    case .page(let page, let status): (status, texts(of: page))
    case .list(let page, let status): (status, page.notices.compactMap(\.unsaved))
    }
  }

  private func texts(of page: ConflictPage) -> [String] {
    guard case .fields(let fields) = page.question else {
      return page.notices.compactMap(\.unsaved)
    }
    return fields.map(\.text) + page.notices.compactMap(\.unsaved)
  }

  @Test(arguments: [
    "choice.title=local", "choice.title=server", "choice.title=later", "whole=local",
  ])
  func `a text that the choice would drop keeps the form open`(_ choice: String) async throws {
    let world = try await ConflictedLibraries()
    let before = try world.records("ben")
    let pages = try BrowsedConflicts(world)
    let parts = choice.split(separator: "=").map(String.init)
    let outcome = try pages.send(
      ref, ["choice.content": "local", "text.title": "Our Snow", parts[0]: parts[1]])
    let (status, texts) = seen(outcome)
    #expect(status == 422 && texts.contains("Our Snow"), "\(outcome)")
    #expect(try world.records("ben") == before)
    // It is still not dropped the second time.
    guard case .page(let page, _) = outcome else { return }
    let again = try pages.send(
      ref, [parts[0]: parts[1]], form: BrowsedConflicts.form(page))
    #expect(seen(again).status == 422 && seen(again).texts.contains("Our Snow"))
    let used = try pages.send(
      ref, ["choice.title": "edit"], form: BrowsedConflicts.form(page))
    #expect(seen(used).status == 303 || seen(used).status == 200, "\(used)")
    #expect(try world.value()["title"] == "Our Snow")
  }

  @Test func `texts as they were offered keep nothing open, whatever their characters`()
    async throws
  {
    let world = try await ConflictedLibraries()
    try world.folder.edit(
      "ben/\(Self.story).json", "\"My Snow\"", to: #""My <Snow> & \u0001\u0085 \r\n\t\"x\"""#)
    let pages = try BrowsedConflicts(world)
    let outcome = try pages.send(ref, ["choice.title": "server", "choice.content": "server"])
    #expect(seen(outcome).status == 303, "\(outcome)")
  }

  /// A form has no place for all characters, so a text that nobody touched is not read from it.
  @Test func `an edit that changes nothing keeps each character`() async throws {
    let world = try await ConflictedLibraries()
    try world.folder.edit(
      "ben/\(Self.story).json", "\"My Snow\"", to: #""My \u0007 Snow\r""#)
    let pages = try BrowsedConflicts(world)
    let outcome = try pages.send(ref, ["choice.title": "edit", "choice.content": "server"])
    #expect(seen(outcome).status == 303, "\(outcome)")
    #expect(try world.value()["title"] == "My \u{7} Snow\r")
  }

  @Test func `a title of blanks is no title`() async throws {
    let world = try await ConflictedLibraries()
    let pages = try BrowsedConflicts(world)
    let outcome = try pages.send(
      ref, ["choice.title": "edit", "text.title": "  ", "choice.content": "server"])
    #expect(seen(outcome).status == 422 && seen(outcome).texts.contains("  "), "\(outcome)")
  }

  @Test(arguments: ["edit", "local", "later"])
  func `a text survives that the record was saved meanwhile`(_ choice: String) async throws {
    let world = try await ConflictedLibraries()
    let pages = try BrowsedConflicts(world)
    let form = try pages.form(ref)
    try world.folder.edit("ben/\(Self.story).json", "My Snow", to: "My Own Snow")
    let outcome = try pages.send(
      ref, ["choice.title": choice, "text.title": "Our Snow"], form: form)
    #expect(seen(outcome).status == 409)
    // The other text was not touched: it is the one that is offered now.
    #expect(seen(outcome).texts.first == "Our Snow" && seen(outcome).texts.count == 2)
    guard case .page(let page, _) = outcome else { return }
    let again = try pages.send(ref, ["choice.title": "local"], form: BrowsedConflicts.form(page))
    #expect(seen(again).status == 422 && seen(again).texts.contains("Our Snow"))
  }

  @Test(arguments: [false, true])
  func `a text survives that the record was renamed meanwhile`(_ withSidecar: Bool) async throws {
    let world = try await ConflictedLibraries()
    let pages = try BrowsedConflicts(world)
    let form = try pages.form(ref)
    if withSidecar {
      #expect(await world.ben.run("mv", Self.story, "stories/new-name").code == .done)
    } else {
      try world.folder.move("ben/\(Self.story).json", to: "ben/stories/new-name.json")
    }
    let outcome = try pages.send(ref, ["text.title": "Our Snow"], form: form)
    guard case .page(let page, 409) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    // Without its sidecar, an edited record is a new one, and the other one was deleted.
    #expect(page.ref.description == (withSidecar ? "stories/new-name" : Self.story))
    #expect(texts(of: page).contains("Our Snow"))
  }

  @Test func `a text survives that the conflict was resolved meanwhile`() async throws {
    let world = try await ConflictedLibraries()
    let pages = try BrowsedConflicts(world)
    let form = try pages.form(ref)
    let part = ["resolve", Self.story, "--local", "--field", "title"]
    #expect(await world.ben.run(part).code == .conflictsLeft)
    let outcome = try pages.send(
      ref, ["choice.title": "server", "text.title": "Our Snow"], form: form)
    #expect(seen(outcome).status == 409 && seen(outcome).texts.contains("Our Snow"))
    #expect(await world.ben.run("resolve", Self.story, "--local").code == .done)
    let gone = try pages.send(
      ref, ["choice.title": "server", "text.title": "Our Snow"], form: form)
    #expect(seen(gone).status == 409 && seen(gone).texts == ["Our Snow"])
  }

  @Test func `a record that cannot be parsed is still in conflict, and says why`() async throws {
    let world = try await ConflictedLibraries()
    let pages = try BrowsedConflicts(world)
    let form = try pages.form(ref)
    try world.folder.write("{\"title\":\n }", to: "ben/\(Self.story).json")
    let page = try #require(try pages.page(ref))
    #expect(page.notices.first?.subject == "\(Self.story).json:2:2", "\(page.notices)")
    #expect(page.summary.contains("in conflict"))
    let list = try pages.list(resolved: ref)
    #expect(list.items.map(\.ref).contains(ref))
    #expect(list.notices.isEmpty)
    let outcome = try pages.send(ref, ["text.title": "Our Snow"], form: form)
    #expect(seen(outcome).status == 409 && seen(outcome).texts.contains("Our Snow"))
  }
}
