import Foundation
import StoryLibrary
import TestSupport

@testable import StoryPages

/// A library in a folder of its own whose shelf tests read.
struct SampleShelf: Sendable {
  let folder: TemporaryFolder
  let library: Library

  /// A library without records.
  init() throws {
    folder = try TemporaryFolder()
    library = try Library.create(
      at: folder.path("library"), configuration: LibraryConfiguration(server: .embedded))
  }

  /// A library with the sample data.
  static func sampleData() throws -> SampleShelf {
    let sample = try SampleShelf()
    try sample.folder.copySampleData(to: "library")
    return sample
  }

  func write(_ text: String, to path: String) throws {
    try folder.write(text, to: "library/" + path)
  }

  /// Writes a story; the title is any text.
  func writeStory(
    _ name: String, title: String = "A Story", hero: String = "luna", language: String = "en",
    content: String = "Once upon a time."
  ) throws {
    func json(_ text: String) throws -> String {
      String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }
    try write(
      """
      {"title": \(json(title)), "hero": \(json(hero)), "language": \(json(language)),
       "content": \(json(content))}
      """, to: "stories/\(name).json")
  }

  func writeHero(_ name: String, called: String) throws {
    let encoded = String(decoding: try JSONEncoder().encode(called), as: UTF8.self)
    try write(
      "{\"name\": \(encoded), \"age\": 7, \"traits\": [\"brave\"]}", to: "heroes/\(name).json")
  }

  func scan() throws -> Scan {
    var scanner = Scanner(library)
    scanner.kinds = EntityKind.allCases
    return try scanner.scan()
  }

  func shelf(
    _ refs: Set<RecordRef>? = nil, title: String? = nil, media: ShelfMedia = ShelfMedia()
  ) throws -> Bookshelf {
    try Bookshelf(library, scan(), refs: refs, title: title, media: media)
  }

  /// Exports to `site`.
  @discardableResult
  func export(
    _ shelf: Bookshelf? = nil, to site: String = "site", isDryRun: Bool = false
  ) throws -> SiteReport {
    try Site(shelf ?? self.shelf()).export(
      to: folder.path(site), of: library, isDryRun: isDryRun)
  }

  /// The files of a folder with their bytes.
  func files(_ folder: String = "site") throws -> [String: [UInt8]] {
    let paths = try self.folder.files(below: folder)
    return Dictionary(
      uniqueKeysWithValues: try paths.map {
        (String($0.dropFirst(folder.count + 1)), try self.folder.bytes($0))
      })
  }

  // MARK: Media

  /// A picture of one pixel.
  static let png: [UInt8] = Array(
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    )!)

  /// A file of the media store.
  func asset(_ ref: RecordRef, _ bytes: [UInt8]) throws -> Asset? {
    let path = "media/\(ref)"
    try folder.write(bytes, to: path)
    return Asset(of: ref, file: ConfinedPath(root: folder.path, path))
  }

  /// Two pictures and a narration of a story, and one picture of a hero.
  func media(of story: String, hero: String, sound: [UInt8]) throws -> ShelfMedia {
    var media = ShelfMedia()
    let ref = RecordRef(kind: .stories, name: story)
    let heroRef = RecordRef(kind: .heroes, name: hero)
    media.avatars[heroRef] = try asset(heroRef, Self.png)
    media.narrations[ref] = try asset(ref, sound)
    media.scenes[ref] = try (1...2).map { number in
      let picture = RecordRef(kind: .illustrations, name: "\(story)/0\(number)")
      return ShelfMedia.Scene(
        asset: try asset(picture, Self.png)!, text: "Scene \(number): \"snow\" & <stars>",
        order: number, time: Double(number - 1) * 30, duration: 30)
    }
    return media
  }
}
