import StoryLibrary
import StoryPages
import TestSupport
import Testing

@testable import stories

/// The page of changes, next to what `status` and `diff` print.
@Suite(.inTurn) struct BrowseChangesTests {
  private func page(_ library: SampleLibrary) throws -> ChangesPage {
    let context = Context(silentIn: library.folder.path)
    let found = try context.library()
    return ChangesPage(try LiveShelf(found, context).current(), of: found, context)
  }

  @Test func `it has the groups of status and the differences of diff`() async throws {
    let library = try SampleLibrary()
    try await library.push()
    try library.folder.edit("heroes/luna.json", "7", to: "8")
    try library.folder.edit("heroes/luna.json", "\"curious\"", to: "\"kind\"")
    try library.folder.edit("stories/2026/first-snow.json", "the cat", to: "the old cat")
    try library.folder.write("{\"title\": ", to: "stories/broken.json")
    try library.folder.write(SampleLibrary.tooth, to: "events/new.json")
    #expect(await library.run("rm", "heroes/family/otto", "--yes").code == .done)
    let page = try page(library)
    let status = await library.run("status").output
    #expect(
      page.groups.map(\.heading) == ["To send with the next sync", "Not synced until fixed"])
    for group in page.groups {
      for record in group.records { #expect(status.contains("  \(record.ref)")) }
    }
    #expect(status.hasSuffix(page.summary + "\n"))
    let pending = page.groups[0]
    #expect(
      pending.records.map { "\($0.ref) \($0.detail)" } == [
        "heroes/family/otto deleted", "heroes/luna edited", "events/new new",
        "stories/2026/first-snow edited",
      ])
    let luna = pending.records[1]
    #expect(luna.place == .hero(luna.ref) && luna.title == "Luna")
    #expect(
      luna.changes == [
        FieldChange(
          "age",
          [.changed(MarkedWords([.init("7", .removed), .init(" → ", .same), .init("8", .added)]))]),
        FieldChange(
          "traits",
          [
            .changed(
              MarkedWords([
                .init("+ “kind”", .added), .init("  ", .same), .init("- “curious”", .removed),
              ]))
          ]),
      ])
    let snow = pending.records[3].changes
    #expect(snow.map(\.key) == ["content"])
    #expect(
      snow[0].lines.contains(
        .changed(
          MarkedWords([
            .init("It came at night, whispered the ", .same), .init("old ", .added),
            .init("cat.", .same),
          ]))), "\(snow)")
    let broken = page.groups[1].records[0]
    #expect(broken.notices.first?.kind == .error && broken.place == nil)
    #expect(broken.notices.first?.subject == "stories/broken.json:1:11")
    #expect(status.contains(broken.notices.first?.message ?? "?"))
  }

  @Test func `of many records some hundred are shown, and the rest is counted`() async throws {
    let library = try SampleLibrary()
    for number in 1...260 {
      try library.folder.write(SampleLibrary.tooth, to: "events/e\(number).json")
    }
    let page = try page(library)
    #expect(page.groups.map(\.records.count) == [ChangesPage.most])
    #expect(page.groups.map(\.more) == [264 - ChangesPage.most])
    #expect(page.summary == "264 new.")
  }

  @Test func `a field with thousands of changed lines shows the first ones`() async throws {
    let library = try SampleLibrary()
    try await library.push()
    let lines = (1...5_000).map { "\"Line \($0) of snow.\"," }.joined(separator: "\n")
    try library.folder.edit(
      "stories/2026/first-snow.json", "\"She did not", to: lines + "\n\"She did not")
    let change = try #require(try page(library).groups.first?.records.first?.changes.first)
    #expect(change.lines.count < 100)
    #expect(change.lines.first == .position("+5000 -0 lines"))
    guard case .position(let rest)? = change.lines.last else {
      Issue.record("\(change.lines.last as Any)")
      return
    }
    #expect(rest.hasPrefix("and 4") && rest.hasSuffix(" more lines"), "\(rest)")
  }
}

extension Context {
  /// A context whose output nobody sees.
  init(silentIn folder: String) {
    let silent = Output(
      sink: OutputSink(isBuffered: false) { _ in 0 }, isTerminal: false, width: 80)
    self.init(
      output: silent, errors: silent, input: Input(isTerminal: false) { nil }, environment: [:],
      folder: folder)
  }
}
