import JSONText
import StoryAPI
import StoryLibrary
import StoryPages
import StoryServer
import StorySync
import TestSupport
import Testing

@testable import stories

/// What forms about conflicts do, next to `resolve` in a copy of the library.
@Suite(.inTurn) struct BrowseConflictTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var record: String
    var form: [String: String]
    /// The command lines that do the same.
    var commands: [[String]]
    /// The text that an editor writes there.
    var written: String?

    init(
      _ name: String, of record: String = ConflictedLibraries.story, _ form: [String: String],
      _ commands: [String]..., written: String? = nil
    ) {
      (testDescription, self.record, self.form, self.commands) = (name, record, form, commands)
      self.written = written
    }
  }

  static let story = ConflictedLibraries.story
  static let event = "events/power-cut"

  static let cases = [
    Case("keep local", ["whole": "local"], ["resolve", story, "--local"]),
    Case("keep server", ["whole": "server"], ["resolve", story, "--server"]),
    Case("merge", ["whole": "merge"], ["resolve", story, "--merge"]),
    Case(
      "each field in its own way", ["choice.title": "server", "choice.content": "local"],
      ["resolve", story, "--server", "--field", "title"],
      ["resolve", story, "--local", "--field", "content"]),
    Case(
      "one field now, the other later", ["choice.title": "local", "choice.content": "later"],
      ["resolve", story, "--local", "--field", "title"]),
    Case(
      "edit", ["choice.title": "edit", "text.title": "Our Snow", "choice.content": "server"],
      ["resolve", story, "--edit", "--field", "title"],
      ["resolve", story, "--server", "--field", "content"], written: "Our Snow"),
    Case(
      "keep a record deleted on the server", of: event, ["whole": "local"],
      ["resolve", event, "--local"]),
    Case("delete it here too", of: event, ["whole": "server"], ["resolve", event, "--server"]),
  ]

  @Test(arguments: cases)
  func `a form does what resolve does`(_ sample: Case) async throws {
    let world = try await ConflictedLibraries()
    try world.copyBen(to: "copy")
    let pages = try BrowsedConflicts(world)
    let ref = try #require(RecordRef(sample.record))
    _ = try pages.send(ref, sample.form)
    var command = world.ben
    command.folder = world.folder.path("copy")
    if let text = sample.written {
      let script = try world.script(
        "editor", "printf '@@ title @@\\n\(text)\\n@@ end @@\\n' > \"$1\"")
      command.environment["EDITOR"] = script
    }
    for words in sample.commands { _ = await command.run(words) }
    let (files, expected) = try (world.records("ben"), world.records("copy"))
    #expect(files.keys.sorted() == expected.keys.sorted())
    for (path, text) in files { #expect(text == expected[path], "\(path)") }
  }

  /// Nothing of what follows may pass because nothing happens at all.
  @Test func `the copy is not the same while the conflict is open`() async throws {
    let world = try await ConflictedLibraries()
    try world.copyBen(to: "copy")
    var command = world.ben
    command.folder = world.folder.path("copy")
    #expect(await command.run("resolve", Self.story, "--local").code == .done)
    #expect(try world.records("ben") != world.records("copy"))
  }

  @Test func `a record in an editor is left alone, and what was typed is shown again`() async throws
  {
    let world = try await ConflictedLibraries()
    let pages = try BrowsedConflicts(world)
    let ref = try #require(RecordRef(Self.story))
    let before = try world.records("ben")
    let open = try OpenRecord(ref, in: Library.find(from: world.folder.path("ben")))
    let form = ["choice.title": "edit", "text.title": "Our Snow", "choice.content": "server"]
    let outcome = try pages.send(ref, form)
    open.close()
    guard case .page(let page, let status) = outcome, case .fields(let fields) = page.question
    else {
      Issue.record("\(outcome)")
      return
    }
    #expect(status == 409)
    #expect(page.notices.first?.message.contains("is open in an editor") == true)
    #expect(fields[0].text == "Our Snow" && fields[0].choice == .edit)
    #expect(try world.records("ben") == before)
  }

  @Test(arguments: ["\(story).json", "stories/2026/.sync/first-snow.json"])
  func `a form made for an earlier state is refused, and the text in it is kept`(
    _ path: String
  ) async throws {
    let world = try await ConflictedLibraries()
    let pages = try BrowsedConflicts(world)
    let ref = try #require(RecordRef(Self.story))
    let state = try #require(try pages.page(ref)).state
    try world.folder.write(world.folder.read("ben/\(path)") + " ", to: "ben/\(path)")
    let before = try world.records("ben")
    for form in [["whole": "server"], ["choice.title": "edit", "text.title": "Our Snow"]] {
      let outcome = try pages.send(ref, form, state: state)
      guard case .page(let page, let status) = outcome, case .fields(let fields) = page.question
      else {
        Issue.record("\(outcome)")
        return
      }
      #expect(status == 409 && page.state != state)
      #expect(
        page.notices.first?.message.hasPrefix("Nothing was resolved: the record was changed")
          == true)
      if form["text.title"] != nil {
        #expect(fields[0].text == "Our Snow" && fields[0].choice == .edit)
      } else {
        #expect(fields.allSatisfy { $0.choice == .later })
      }
    }
    #expect(try world.records("ben") == before)
  }

  @Test(arguments: ["", "x", "0123456789abcdef0123456789abcdef"])
  func `a form without the state is refused`(_ state: String) async throws {
    let world = try await ConflictedLibraries()
    let before = try world.records("ben")
    let outcome = try BrowsedConflicts(world).send(
      #require(RecordRef(Self.story)), ["whole": "local"], state: state)
    guard case .page(_, 409) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(try world.records("ben") == before)
  }

  @Test func `a text that cannot be used keeps the whole form open`() async throws {
    let world = try await ConflictedLibraries()
    let before = try world.records("ben")
    let outcome = try BrowsedConflicts(world).send(
      #require(RecordRef(Self.story)),
      ["choice.title": "edit", "text.title": "", "choice.content": "local"])
    guard case .page(let page, 422) = outcome, case .fields(let fields) = page.question else {
      Issue.record("\(outcome)")
      return
    }
    #expect(fields[0].problem?.message == "“title” must not be empty" && fields[0].text == "")
    #expect(fields[1].choice == .local)
    #expect(try world.records("ben") == before)
  }

  @Test func `a record that is not in conflict any more leads to the list, with the text`()
    async throws
  {
    let world = try await ConflictedLibraries()
    let pages = try BrowsedConflicts(world)
    let ref = try #require(RecordRef(Self.story))
    let state = try #require(try pages.page(ref)).state
    #expect(await world.ben.run("resolve", Self.story, "--local").code == .done)
    let outcome = try pages.send(
      ref, ["choice.title": "edit", "text.title": "Our Snow"], state: state)
    guard case .list(let page, 409) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(page.items.map(\.ref.description) == [Self.event])
    #expect(page.notices.map(\.unsaved) == [nil, "Our Snow"])
  }
}

/// The conflicts of Ben's library as pages see them.
struct BrowsedConflicts {
  let library: Library
  let context: Context

  init(_ world: ConflictedLibraries) throws {
    context = Context(silentIn: world.folder.path("ben"))
    library = try context.library()
  }

  private func scan() throws -> Scan { try context.scan(library, kinds: EntityKind.allCases) }

  func list(resolved: RecordRef) throws -> ConflictsPage {
    BrowseConflicts(try scan(), of: library, context).list(resolved: resolved)
  }

  func page(_ ref: RecordRef) throws -> ConflictPage? {
    BrowseConflicts(try scan(), of: library, context).page(ref)
  }

  /// Returns the fields of the page's form as a browser sends them if nobody touches them.
  func form(_ ref: RecordRef) throws -> [String: String] { Self.form(try page(ref)) }

  /// Returns the fields of a page's form as a browser sends them if nobody touches them.
  static func form(_ page: ConflictPage?) -> [String: String] {
    guard let page else { return [:] }
    var links = Links { _ in "/" }
    links.formToken = "token"
    let markup = page.markup(PageFrame(shelf: nil, links: links))
    let html = String(decoding: MarkupWriter.document(.html, markup), as: UTF8.self)
    var form: [String: String] = [:]
    for match in html.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)"/) {
      form[String(match.output.1)] = String(match.output.2)
    }
    let areas = /<textarea [^>]*name="([^"]*)"[^>]*>\n([^<]*)<\/textarea>/
    for match in html.matches(of: areas) {
      let text = match.output.2.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
        .replacing("&amp;", with: "&")
      form[String(match.output.1)] = String(text.replacing("\n", with: "\r\n"))
    }
    for match in html.matches(of: /name="(choice[^"]*)" value="([^"]*)" checked/) {
      form[String(match.output.1)] = String(match.output.2)
    }
    return form
  }

  /// Sends the page's form.
  ///
  /// - Parameters:
  ///   - changes: What somebody chose and typed.
  ///   - state: The state that it was made for, or `nil` for that of the files.
  ///   - form: The form, or `nil` for that of the page as it is now.
  func send(
    _ ref: RecordRef, _ changes: [String: String], state: String? = nil,
    form: [String: String]? = nil
  ) throws -> BrowseConflicts.Outcome {
    var form = try form ?? self.form(ref)
    if let state { form["state"] = state }
    form.merge(changes) { $1 }
    let text = form.map { "\(percentEncoded($0))=\(percentEncoded($1))" }.joined(separator: "&")
    return try BrowseConflicts(try scan(), of: library, context).resolve(
      ref, #require(FormFields(text)), rescan: scan)
  }
}

extension ConflictedLibraries {
  /// Copies Ben's library.
  func copyBen(to name: String) throws {
    for path in try folder.files(below: "ben") where !path.hasSuffix("/") {
      try folder.write(folder.bytes(path), to: name + path.dropFirst(3))
    }
  }

  /// The records and sidecars of a library by path.
  func records(_ name: String) throws -> [String: String] {
    let paths = try folder.files(below: name).map { String($0.dropFirst(name.count + 1)) }
      .filter { !$0.hasPrefix(".stories/") && !$0.hasSuffix("/") }
    return Dictionary(
      uniqueKeysWithValues: try paths.map { ($0, try folder.read("\(name)/\($0)")) })
  }
}
