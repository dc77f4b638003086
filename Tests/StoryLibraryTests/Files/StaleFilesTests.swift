import TestSupport
import Testing

@testable import StoryLibrary

@Suite("What a dead run leaves")
struct StaleFilesTests {
  private let test: TestLibrary
  private var folder: TemporaryFolder { test.folder }
  private let old = "{\"name\": \"old\"}"
  private let new = "{\"name\": \"new\"}"
  private let edit = "{\"name\": \"edit\"}"
  private let record = "library/heroes/luna.json"
  private let sidecar = "library/heroes/.sync/luna.json"

  init() throws {
    test = try TestLibrary()
    try folder.makeFolder("library/heroes/.sync")
  }

  private func digest(_ text: String) -> ContentDigest { ContentDigest(text.utf8) }

  /// Puts `content` under the temporary name that a write of `path` has.
  private func leave(
    _ content: String, writing new: String?, over old: String?, at path: String
  ) throws {
    let name = try TemporaryName(
      new: new.map(digest), old: old.map(digest), for: folder.path(path))
    try folder.write(content, to: Path.parent(path) + "/" + name.text)
  }

  /// Scans, settles, and looks that a second scan finds nothing more.
  private func settle() throws -> [StaleFiles.Outcome] {
    let found = try test.scan().staleFiles
    let settled = StaleFiles.settle(found, in: test.library)
    #expect(settled.map(\.path) == found)
    if !settled.contains(where: { $0.outcome == .unknown }) {
      #expect(try test.scan().staleFiles.isEmpty)
    }
    return settled.map(\.outcome)
  }

  private func records() throws -> [String] { try folder.files(below: "library/heroes") }

  @Test("killed before the exchange: the new content goes, the old stays")
  func beforeExchange() throws {
    try folder.write(old, to: record)
    let staged = try StagedFile(
      new.bytes, for: folder.path(record), expecting: .content(digest(old)))
    #expect(FileSystem.exists(staged.temporary))
    #expect(try settle() == [.removed])
    #expect(try folder.read(record) == old)
    #expect(try records() == ["library/heroes/luna.json", "library/heroes/.sync/"].sorted())
  }

  @Test("the same, and the record was removed since: nothing comes back")
  func beforeExchangeAndRemoved() throws {
    try leave(new, writing: new, over: old, at: record)
    #expect(try settle() == [.removed])
    #expect(try records() == ["library/heroes/.sync/"])
  }

  @Test("killed after the exchange: the old content goes, the new stays")
  func afterExchange() throws {
    try folder.write(old, to: record)
    let staged = try StagedFile(
      new.bytes, for: folder.path(record), expecting: .content(digest(old)))
    try #require(try FileSystem.exchange(staged.temporary, folder.path(record)))
    #expect(try settle() == [.removed])
    #expect(try folder.read(record) == new)
  }

  @Test("killed while an unexpected edit was out of its place: it comes back")
  func editTakenOut() throws {
    try folder.write(old, to: record)
    let staged = try StagedFile(
      new.bytes, for: folder.path(record), expecting: .content(digest(old)))
    try folder.write(edit, to: record)
    try #require(try FileSystem.exchange(staged.temporary, folder.path(record)))
    #expect(try settle() == [.restored])
    #expect(try folder.read(record) == edit)
    #expect(try test.scan().entries.map(\.ref) == ["heroes/luna"])
  }

  @Test("the same, and somebody has edited the record since: both stay")
  func editTakenOutAndEdited() throws {
    try leave(edit, writing: new, over: old, at: record)
    try folder.write("{\"name\": \"newest\"}", to: record)
    try folder.write("taken", to: "library/heroes/luna.saved-1.json")
    #expect(try settle() == [.saved(as: "heroes/luna.saved-2.json")])
    #expect(try folder.read(record) == "{\"name\": \"newest\"}")
    #expect(try folder.read("library/heroes/luna.saved-2.json") == edit)
  }

  @Test("the same, and the record was removed since: the edit is the record")
  func editTakenOutAndRemoved() throws {
    try leave(edit, writing: new, over: old, at: record)
    #expect(try settle() == [.restored])
    #expect(try folder.read(record) == edit)
  }

  @Test("killed before a new file got its name: it goes, the next plan makes it again")
  func newFile() throws {
    _ = try StagedFile(new.bytes, for: folder.path(record), expecting: .absent)
    #expect(try settle() == [.removed])
    #expect(try test.scan().entries.isEmpty)
  }

  @Test("killed while a removal looked at the file: the removal is finished")
  func removal() throws {
    try leave(old, writing: nil, over: old, at: record)
    #expect(try settle() == [.removed])
    #expect(try test.scan().entries.isEmpty)
  }

  @Test("killed while a removal had an edit in its hands: the edit comes back")
  func removalOfEdit() throws {
    try leave(edit, writing: nil, over: old, at: record)
    #expect(try settle() == [.restored])
    #expect(try folder.read(record) == edit)
  }

  @Test("the same, and the record was made anew since")
  func removalOfEditAndAnew() throws {
    try leave(edit, writing: nil, over: old, at: record)
    try folder.write(new, to: record)
    #expect(try settle() == [.saved(as: "heroes/luna.saved-1.json")])
    #expect(try folder.read(record) == new)
  }

  @Test("killed in the middle of writing: the torn text goes")
  func torn() throws {
    try folder.write(old, to: record)
    for text in ["", "{\"name\": \"ne", "\0\0\0\0"] {
      try leave(text, writing: new, over: old, at: record)
      #expect(try settle() == [.removed])
    }
    #expect(try folder.read(record) == old)
  }

  @Test("a text that does not parse, where there may have been an exchange, is kept")
  func tornEdit() throws {
    try folder.write("{\"name\": \"newest\"}", to: record)
    try leave("{\"name\": \"an edit that breaks o", writing: new, over: old, at: record)
    #expect(try settle() == [.saved(as: "heroes/luna.saved-1.json")])
  }

  @Test("an edit in good form is kept, even where the file has its old content again")
  func revertedEdit() throws {
    try folder.write(old, to: record)
    try leave(edit, writing: new, over: old, at: record)
    #expect(try settle() == [.saved(as: "heroes/luna.saved-1.json")])
  }

  @Test("a sidecar that is kept aside is no sidecar of a record that is not there")
  func sidecars() throws {
    try folder.write(old, to: record)
    try folder.write("{}", to: sidecar)
    try leave("{\"git\": \"wrote this\"}", writing: new, over: old, at: sidecar)
    #expect(try settle() == [.saved(as: "heroes/.sync/luna.json.saved-1")])
    #expect(try test.scan().entries.map(\.ref) == ["heroes/luna"])
    try leave(
      "{\"git\": \"wrote this\"}", writing: new, over: old, at: "library/heroes/.sync/mia.json")
    #expect(try settle() == [.restored])
    #expect(try test.scan().entries.map(\.ref) == ["heroes/luna", "heroes/mia"])
  }

  @Test("remains of library.json and in the state folder are found too")
  func otherPlaces() throws {
    try leave(new, writing: new, over: old, at: "library/library.json")
    try leave(new, writing: new, over: nil, at: "library/.stories/.gitignore")
    #expect(try settle() == [.removed, .removed])
  }

  @Test("a folder that came out of an exchange goes back")
  func folders() throws {
    let staged = try StagedFile(
      new.bytes, for: folder.path(record), expecting: .content(digest(old)))
    try folder.write("x", to: record + "/inner")
    try #require(try FileSystem.exchange(staged.temporary, folder.path(record)))
    #expect(try settle() == [.restored])
    #expect(try folder.read(record + "/inner") == "x")
  }

  @Test("a name that says nothing is left alone")
  func unknown() throws {
    try folder.write("x", to: "library/heroes/.stories-tmp-x")
    #expect(try settle() == [.unknown])
    #expect(folder.exists("library/heroes/.stories-tmp-x"))
  }

  @Test("nothing is settled behind a link, and what is gone is gone")
  func links() throws {
    try folder.makeFolder("outside")
    try folder.link("library/heroes/link", to: "../../outside")
    let name = try TemporaryName(new: nil, old: nil, for: "x.json").text
    try folder.write("x", to: "outside/" + name)
    let settled = StaleFiles.settle(["heroes/link/" + name, "heroes/" + name], in: test.library)
    guard case .failed(let error) = try #require(settled.first).outcome else {
      Issue.record("\(settled)")
      return
    }
    #expect(error.isNotAFile)
    #expect(settled.last?.outcome == .removed)
    #expect(try folder.files(below: "outside") == ["outside/" + name])
  }

  @Test("settling twice gives the same as settling once")
  func twice() throws {
    try leave(edit, writing: new, over: old, at: record)
    try folder.write(old, to: record)
    let found = try test.scan().staleFiles
    _ = StaleFiles.settle(found, in: test.library)
    let files = try records()
    #expect(StaleFiles.settle(found, in: test.library).map(\.outcome) == [.removed])
    #expect(try records() == files)
  }
}
