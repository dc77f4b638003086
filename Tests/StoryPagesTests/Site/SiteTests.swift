import Foundation
import StoryLibrary
import TestSupport
import Testing

@testable import StoryPages

@Suite struct SiteTests {
  private let sample: SampleShelf

  init() throws { sample = try SampleShelf.sampleData() }

  private func media() throws -> ShelfMedia {
    try sample.media(of: "first-snow", hero: "luna", sound: SampleSound.wav())
  }

  @Test func `the same library gives the same bytes`() throws {
    let media = try media()
    try sample.export(sample.shelf(media: media), to: "site")
    try sample.export(sample.shelf(media: media), to: "other")
    let (site, other) = (try sample.files(), try sample.files("other"))
    #expect(site == other)
    #expect(site.count > 30 && site["pictures/stories/first-snow/01.png"] == SampleShelf.png)
  }

  @Test func `every link leads to a file of the site`() throws {
    try sample.export(sample.shelf(media: media()))
    var count = 0
    for (path, bytes) in try sample.files() where path.hasSuffix(".html") {
      let text = String(decoding: bytes, as: UTF8.self)
      for match in text.matches(of: /\b(?:href|src)="([^"#]+)"/) {
        let target = Path.absolute(String(match.output.1), in: "/" + Path.parent(path))
        #expect(sample.folder.exists("site" + target), "\(path) links to \(match.output.1)")
        count += 1
      }
      #expect(!text.contains("://"), "\(path) has an address on the network")
    }
    #expect(count > 300)
  }

  @Test func `nothing is written again that is the same`() throws {
    let media = try media()
    try sample.export(sample.shelf(media: media))
    let before = try sample.folder.files(below: "site").map {
      try FileSystem.status(sample.folder.path($0))?.inode
    }
    let report = try sample.export(sample.shelf(media: media))
    #expect(report.written.isEmpty && report.unchanged == before.count - 1)
    let after = try sample.folder.files(below: "site").map {
      try FileSystem.status(sample.folder.path($0))?.inode
    }
    #expect(after == before)
  }

  @Test func `a changed story changes few pages`() throws {
    try sample.export()
    try sample.folder.edit("library/stories/first-snow.json", "was white", to: "was grey")
    #expect(try sample.export().written == ["paper.html", "stories/first-snow.html"])
  }

  @Test func `an export removes only what an earlier one made`() throws {
    try sample.export()
    let story = try sample.folder.read("library/stories/first-snow.json")
    try sample.folder.write("mine", to: "site/CNAME")
    try sample.folder.write("mine", to: "site/stories/2026/notes.txt")
    try sample.folder.remove("library/stories/2026/bedtime")
    try sample.folder.remove("library/stories/first-snow.json")
    try sample.folder.write("changed by hand", to: "site/stories/first-snow.html")
    let plan = try sample.export(isDryRun: true)
    #expect(
      plan.removed.count == 3 && plan.outdated.count == 1
        && sample.folder.exists("site/stories/2026/bedtime"))
    let report = try sample.export()
    #expect(
      report.removed == [
        "stories/2026/bedtime/ein-schluck-winter.html",
        "stories/2026/bedtime/everything-to-bed.html",
        "stories/2026/bedtime/le-pain-de-la-nuit.html",
      ])
    #expect(report.kept.isEmpty && report.outdated == ["stories/first-snow.html"])
    #expect(try sample.folder.read("site/CNAME") == "mine")
    #expect(try sample.folder.read("site/stories/2026/notes.txt") == "mine")
    #expect(try sample.folder.read("site/stories/first-snow.html") == "changed by hand")
    #expect(!sample.folder.exists("site/stories/2026/bedtime"))
    #expect(try sample.export().outdated == ["stories/first-snow.html"])
    // If its story comes back, it is a page that was edited.
    try sample.folder.write(story, to: "library/stories/first-snow.json")
    let back = try sample.export()
    #expect(back.kept == ["stories/first-snow.html"] && back.outdated.isEmpty)
    // A list without the story is the same as one that never had it.
    try sample.folder.remove("library/stories/first-snow.json")
    try sample.folder.remove("site/stories/first-snow.html")
    try sample.export()
    try sample.export(to: "fresh")
    let (site, fresh) = (try sample.files(), try sample.files("fresh"))
    #expect(fresh.allSatisfy { site[$0.key] == $0.value })
  }

  @Test func `files that no export made are never replaced`() throws {
    try sample.folder.write("mine", to: "site/index.html")
    #expect(throws: ExportError.folderInUse(sample.folder.path("site"))) { try sample.export() }
    try sample.folder.remove("site")
    try sample.folder.write("a repository", to: "site/.git/HEAD")
    try sample.export()
    try sample.writeStory("new")
    try sample.folder.write("mine", to: "site/stories/new.html")
    #expect(throws: ExportError.foreignFile(sample.folder.path("site/stories/new.html"))) {
      try sample.export()
    }
    #expect(try sample.folder.read("site/stories/new.html") == "mine")
    try sample.folder.write("mine", to: "file")
    #expect(throws: ExportError.notAFolder(sample.folder.path("file"))) {
      try sample.export(to: "file")
    }
  }

  @Test func `the library's own folders are refused`() throws {
    try sample.folder.link("link", to: sample.library.root)
    for path in [
      "library", "library/stories", "library/stories/site", "library/.stories/x",
      "library/.git/x", "library/Stories/x", "link/stories/site", "link/.sync",
    ] {
      #expect(throws: ExportError.insideLibrary(sample.folder.path(path))) {
        try sample.export(to: path)
      }
    }
    try sample.export(to: "library/site")
    #expect(try sample.scan().problems.isEmpty)
  }

  @Test func `an interrupted export goes on with the next`() throws {
    struct Stop: Error {}
    let (shelf, site) = (try sample.shelf(), sample.folder.path("site"))
    #expect(throws: Stop.self) {
      try Site(shelf).export(to: site, of: sample.library) { done, _ in
        if done == 12 { throw Stop() }
      }
    }
    try sample.folder.write("half", to: "site/stories/.stories-tmp-0-0-moon.html")
    try sample.folder.remove("library/stories/first-snow.json")
    try sample.export()
    try sample.export(to: "other")
    #expect(try sample.files() == sample.files("other"))
  }

  @Test func `a list from elsewhere reaches nothing outside the folder`() throws {
    try sample.export()
    try sample.folder.write("mine", to: "victim.txt")
    try sample.folder.write("mine", to: "site/.git/config")
    try sample.folder.link("site/link", to: sample.folder.path)
    let own = try #require(try SiteManifest(in: sample.folder.path("site")))
    for path in [
      "../victim.txt", "/victim.txt", "a/../../victim.txt", "link/victim.txt", "",
      ".git/config", "notes.html", "stories/.git/x.html", "stories//x.html", "stories/a.txt",
    ] {
      var manifest = own
      manifest.files.updateValue(nil, forKey: path)
      try manifest.write(to: sample.folder.path("site"))
      #expect(
        throws: ExportError.unreadableManifest(sample.folder.path("site/stories-site.json")),
        "\(path)"
      ) { try sample.export() }
      #expect(try sample.folder.read("victim.txt") == "mine")
      #expect(try sample.folder.read("site/.git/config") == "mine")
    }
  }

  @Test func `a file without a digest is not removed`() throws {
    try sample.export()
    try sample.folder.write("mine", to: "site/stories/mine.html")
    var manifest = try #require(try SiteManifest(in: sample.folder.path("site")))
    manifest.files.updateValue(nil, forKey: "stories/mine.html")
    try manifest.write(to: sample.folder.path("site"))
    #expect(try sample.export().outdated == ["stories/mine.html"])
    #expect(try sample.folder.read("site/stories/mine.html") == "mine")
  }

  @Test func `pages that were edited are kept`() throws {
    let media = try media()
    try sample.export(sample.shelf(media: media))
    let paths = [
      "index.html", "paper.html", "pictures/heroes/luna.png", "stories/first-snow.html",
    ]
    for path in paths { try sample.folder.write("edited", to: "site/" + path) }
    for _ in 1...2 {
      let report = try sample.export(sample.shelf(media: media))
      #expect(report.kept.sorted() == paths && report.written.isEmpty)
    }
    for path in paths { #expect(try sample.folder.read("site/" + path) == "edited") }
    let report = try Site(sample.shelf(media: media)).export(
      to: sample.folder.path("site"), of: sample.library, isForced: true)
    #expect(report.written.sorted() == paths && report.kept.isEmpty)
    #expect(try sample.export(sample.shelf(media: media)).written.isEmpty)
  }

  @Test func `an interrupted update is recognized by the next export`() throws {
    struct Stop: Error {}
    try sample.export()
    try sample.folder.edit("library/stories/first-snow.json", "was white", to: "was grey")
    let (shelf, site) = (try sample.shelf(title: "Other"), sample.folder.path("site"))
    #expect(throws: Stop.self) {
      try Site(shelf).export(to: site, of: sample.library) { done, total in
        if done == total - 1 { throw Stop() }
      }
    }
    let report = try sample.export()
    #expect(report.kept.isEmpty && report.outdated.isEmpty && report.written.count > 10)
    try sample.export(to: "other")
    #expect(try sample.files() == sample.files("other"))
  }

  @Test(arguments: ["first-snow", "My Story"])
  func `what is unreadable or only missing locally stays published`(_ name: String) throws {
    if name != "first-snow" {
      try sample.folder.move(
        "library/stories/first-snow.json", to: "library/stories/\(name).json")
    }
    let media = try sample.media(of: name, hero: "luna", sound: SampleSound.wav())
    try sample.export(sample.shelf(media: media))
    let before = try sample.files()
    let story = RecordRef(kind: .stories, name: name)
    let luna = RecordRef(kind: .heroes, name: "luna")
    var missing = ShelfMedia()
    missing.missing = [
      luna: [luna],
      story: [
        story, RecordRef(kind: .illustrations, name: "\(name)/01"),
        RecordRef(kind: .illustrations, name: "\(name)/02"),
      ],
    ]
    #expect(try sample.export(sample.shelf(media: missing)).removed.isEmpty)
    try sample.write("{", to: "stories/\(name).json")
    try sample.write("{", to: "heroes/luna.json")
    let report = try sample.export()
    #expect(report.removed.isEmpty && report.kept.isEmpty && report.outdated.isEmpty)
    var after = try sample.files()
    for path in before.keys { #expect(after[path] != nil, "\(path)") }
    // A sparse checkout has neither file.
    var scan = try sample.scan()
    for place in scan.entries.indices where [story, luna].contains(scan.entries[place].ref) {
      scan.entries[place].state = .notCheckedOut
      scan.entries[place].digest = nil
    }
    let sparse = try sample.export(Bookshelf(sample.library, scan))
    #expect(sparse.removed.isEmpty && sparse.outdated.isEmpty)
    after = try sample.files()
    for path in before.keys { #expect(after[path] != nil, "\(path)") }
  }

  @Test func `a damaged list is an error`() throws {
    try sample.export()
    try sample.folder.write("<<<<<<< HEAD", to: "site/stories-site.json")
    #expect(
      throws: ExportError.unreadableManifest(sample.folder.path("site/stories-site.json"))
    ) { try sample.export() }
  }

  @Test func `without stories nothing is written`() throws {
    let shelf = try sample.shelf([RecordRef(kind: .heroes, name: "nobody")])
    #expect(throws: ExportError.nothing) { try sample.export(shelf) }
    #expect(!sample.folder.exists("site"))
  }

  @Test func `a choice has its heroes and no others`() throws {
    let luna = RecordRef(kind: .heroes, name: "luna")
    let shelf = try sample.shelf([luna])
    #expect(shelf.title == "Stories about Luna")
    #expect(shelf.stories.map(\.ref.name) == ["first-snow", "one-more-thing"])
    #expect(shelf.heroes.map(\.ref) == [luna])
    let event = try sample.shelf([RecordRef(kind: .events, name: "lost-tooth")])
    #expect(event.stories.map(\.ref.name) == ["first-snow"])
    let all = try sample.shelf()
    #expect(all.title == "Bedtime Stories" && all.stories.count == 15 && all.heroes.count == 11)
  }

  @Test func `records that cannot be read are named, and drafts too`() throws {
    try sample.write("{", to: "stories/broken.json")
    try sample.writeStory("empty", content: "\n")
    let shelf = try sample.shelf()
    #expect(shelf.stories.count == 15)
    #expect(
      shelf.omitted.map { "\($0.ref.name) \($0.reason)" } == ["broken unreadable", "empty draft"])
  }
}
