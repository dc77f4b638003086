import Foundation
import StoryLibrary
import TestSupport
import Testing

@testable import StoryPages

@Suite(.inTurn) struct BookTests {
  private let sample: SampleShelf

  init() throws { sample = try SampleShelf.sampleData() }

  @discardableResult
  private func write(
    _ shelf: Bookshelf? = nil, to name: String = "book.epub", isDryRun: Bool = false
  ) throws -> BookReport {
    try Book(shelf ?? sample.shelf()).export(to: sample.folder.path(name), isDryRun: isDryRun)
  }

  /// Says what is wrong with the book, which is nothing.
  private func faults() async throws -> String {
    let folder = sample.folder
    let result = try EPUBCheck.check(folder.path("book.epub"), in: folder)
    if let path = ProcessInfo.processInfo.environment["STORIES_TEST_TRANSCRIPT"] {
      try result.output.write(toFile: path, atomically: true, encoding: .utf8)
    }
    #expect(result.output.contains("0 fatals / 0 errors / 0 warnings"))
    return result.code == 0 ? "" : result.errors
  }

  @Test(.withEPUBCheck) func `epubcheck finds no fault in a book with pictures and narrations`()
    async throws
  {
    var media = try sample.media(
      of: "first-snow", hero: "luna", sound: SampleSound.mp3(frames: 100))
    // The server says how long the narration is. One without its length is there to be played.
    try sample.addSidecar(to: "first-snow", server: "{\"audioDuration\": 2.612}")
    let other = RecordRef(kind: .stories, name: "one-more-thing")
    media.narrations[other] = try sample.asset(other, SampleSound.mp3(frames: 100))
    #expect(try write(sample.shelf(media: media)).leftOut.isEmpty)
    #expect(try await faults() == "")
    let book = try sample.folder.bytes("book.epub")
    #expect(book.firstRange(of: Array("clipEnd=\"2.612s\"".utf8)) != nil)
    #expect(book.firstRange(of: Array("<audio controls".utf8)) != nil)
  }

  @Test(.withEPUBCheck) func `nor in one without pictures, of hostile texts and names`()
    async throws
  {
    for (number, hostile) in HostileTextTests.texts.enumerated() {
      try sample.writeStory(
        "odd/Nr. \(number)?", title: hostile.text, language: hostile.text, content: hostile.text)
    }
    try write(sample.shelf(title: "<b>\u{0}\u{202E}&amp;"))
    #expect(try await faults() == "")
  }

  @Test func `the same library gives the same bytes, and an equal book is not written again`()
    throws
  {
    let media = try sample.media(of: "first-snow", hero: "luna", sound: SampleSound.mp3(frames: 9))
    let report = try write(sample.shelf(media: media))
    let bytes = try sample.folder.bytes("book.epub")
    #expect(report.isChanged && report.size == bytes.count)
    try write(sample.shelf(media: media), to: "other.epub")
    #expect(try sample.folder.bytes("other.epub") == bytes)
    let path = sample.folder.path("book.epub")
    let before = try FileSystem.status(path)?.inode
    #expect(try write(sample.shelf(media: media)).isChanged == false)
    #expect(try FileSystem.status(path)?.inode == before)
    // A book of other content replaces it.
    try sample.folder.edit("library/stories/first-snow.json", "was white", to: "was grey")
    #expect(try write(sample.shelf(media: media)).isChanged)
    #expect(
      try FileSystem.list(sample.folder.path).map(\.name).sorted() == [
        "book.epub", "library", "media", "other.epub",
      ])
  }

  @Test func `formats that e-readers may not play are left out and named`() throws {
    let media = try sample.media(of: "first-snow", hero: "luna", sound: SampleSound.wav())
    let report = try write(sample.shelf(media: media))
    #expect(report.leftOut == [RecordRef(kind: .stories, name: "first-snow")])
    let book = try sample.folder.bytes("book.epub")
    #expect(book.firstRange(of: Array(".wav".utf8)) == nil)
  }

  @Test func `another file and an edited book are never replaced`() throws {
    try write(to: "own.epub")
    let own = try sample.folder.bytes("own.epub")
    var edited = own
    edited.replaceSubrange(
      try #require(own.firstRange(of: Array("was white".utf8))), with: "was green".utf8)
    let texts = [
      "mine", "PK\u{3}\u{4}mimetypeapplication/epub+zip META-INF/container.xml",
      "My notes about stories/package.opf",
    ]
    for bytes in texts.map({ Array($0.utf8) }) + [edited, own.dropLast(32), own + [0]] {
      try sample.folder.write(bytes, to: "book.epub")
      #expect(throws: ExportError.foreignFile(sample.folder.path("book.epub"))) { try write() }
      #expect(try sample.folder.bytes("book.epub") == bytes)
    }
    try sample.folder.write(own, to: "book.epub")
    #expect(try write(sample.shelf(title: "Other")).isChanged)
    try sample.folder.makeFolder("folder.epub")
    #expect(throws: ExportError.foreignFile(sample.folder.path("folder.epub"))) {
      try write(to: "folder.epub")
    }
    #expect(try write(to: "new.epub", isDryRun: true).size == 0)
    #expect(!sample.folder.exists("new.epub"))
  }

  @Test func `the cover is the hero's picture, a story's, or a drawing`() throws {
    func cover(_ shelf: Bookshelf) throws -> String {
      try write(shelf)
      let text = String(decoding: try sample.folder.bytes("book.epub"), as: UTF8.self)
      let items = text.matches(of: /href="([^"]+)" media-type="[^"]+" properties="cover-image"/)
      #expect(items.count == 1)
      return items.first.map { String($0.output.1) } ?? ""
    }
    let media = try sample.media(of: "first-snow", hero: "luna", sound: [])
    #expect(try cover(sample.shelf()) == "cover.svg")
    #expect(try cover(sample.shelf(media: media)) == "pictures/stories/first-snow/01.png")
    let luna = try sample.shelf([RecordRef(kind: .heroes, name: "luna")], media: media)
    #expect(try cover(luna) == "pictures/heroes/luna.png")
  }
}

extension SampleShelf {
  /// Writes the sidecar of a story that is in sync.
  func addSidecar(to story: String, server: String) throws {
    try write(
      """
      {"id": "s1", "updatedAt": "2026-11-20T10:00:00.000Z", "base": {}, "server": \(server)}
      """, to: "stories/.sync/\(story).json")
  }
}
