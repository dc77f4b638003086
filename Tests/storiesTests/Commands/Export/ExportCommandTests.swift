import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct ExportCommandTests {
  private let library: SampleLibrary

  init() throws { library = try SampleLibrary() }

  @Test func `pages are written, and their first one is printed`() async throws {
    let first = await library.run("export", "html", "site")
    #expect(first.code == .done && first.output == "site/index.html\n")
    #expect(first.errors == "1 story about 2 heroes: 7 files written.\n")
    #expect(try library.folder.read("site/index.html").contains("The First Snow"))
    let second = await library.run("export", "html", "site")
    #expect(second.errors == "1 story about 2 heroes: 0 files written, 7 unchanged.\n")
  }

  @Test(arguments: [["html", "site"], ["epub", "a.epub"], ["markdown", "text"]])
  func `a library whose only story cannot be read`(words: [String]) async throws {
    try library.folder.write("{", to: "stories/2026/first-snow.json")
    let run = await CommandSetting(library.folder).run(["export"] + words)
    #expect(run.code == .failed)
    #expect(
      run.errors.contains("Error: stories/2026/first-snow.json:1:2: the text ends here"),
      "\(run.errors)")
    #expect(!library.folder.exists("site") && !library.folder.exists("a.epub"))
    try library.folder.remove("stories/2026/first-snow.json")
    #expect(await CommandSetting(library.folder).run(["export"] + words).code == .wrongUsage)
  }

  @Test func `a folder that is missing is named`() async throws {
    let run = await library.run("export", "epub", "no/a.epub")
    #expect(run.code == .failed)
    #expect(run.errors.hasSuffix("Hint: create its folder first: mkdir -p no\n"), "\(run.errors)")
  }

  @Test func `a dry run writes nothing`() async throws {
    let plan = await library.run("export", "html", "site", "--dry-run")
    #expect(plan.output == "Would write 7 files to site\n")
    #expect(plan.errors == "Dry run: nothing was changed.\n")
    let book = await library.run("export", "epub", "a.epub", "--dry-run")
    #expect(book.output == "1 story about 2 heroes for a.epub\n")
    #expect(!library.folder.exists("site") && !library.folder.exists("a.epub"))
  }

  @Test func `a choice, a title and JSON`() async throws {
    try library.folder.write(
      #"{"title": "Night", "hero": "family/otto", "content": "Otto slept."}"#,
      to: "stories/night.json")
    let html = await library.run("export", "html", "site", "otto", "--json").json
    #expect(html?["schema"] == "stories.export-html/1" && html?["dryRun"] == false)
    #expect(html?["title"] == "Stories about Otto")
    #expect(html?["stories"] == ["stories/night"] && html?["heroes"] == ["heroes/family/otto"])
    #expect(html?["written"]?.array?.contains("stories/night.html") == true)
    #expect(html?["removed"] == [] && html?["kept"] == [] && html?["omitted"] == [])
    let epub = await library.run(
      "export", "epub", "a.epub", "stories/2026", "--title", "Our Year", "--json")
    #expect(epub.json?["schema"] == "stories.export-epub/1")
    #expect(epub.json?["title"] == "Our Year" && epub.json?["changed"] == true)
    #expect(epub.json?["stories"] == ["stories/2026/first-snow"])
    let size = try FileSystem.status(library.folder.path("a.epub"))?.size
    #expect(epub.json?["size"]?.integer == size && epub.json?["leftOut"] == [])
  }

  @Test func `a book is printed with its size, and not written again`() async throws {
    let first = await library.run("export", "epub", "a.epub")
    #expect(first.code == .done && first.output == "a.epub\n")
    #expect(first.errors.wholeMatch(of: /1 story about 2 heroes, \d+\.\d KB\.\n/) != nil)
    let second = await library.run("export", "epub", "a.epub")
    #expect(second.errors.hasSuffix(" KB; unchanged.\n"))
  }

  @Test func `what is removed and what is kept is said`() async throws {
    try library.folder.write(
      #"{"title": "Night", "hero": "luna", "content": "Luna slept."}"#, to: "stories/night.json")
    _ = await library.run("export", "html", "site")
    try library.folder.remove("stories/night.json")
    try library.folder.write("edited", to: "site/stories/night.html")
    let plan = await library.run("export", "html", "site", "--dry-run")
    #expect(plan.output == "Would write 7 files to site\n")
    let run = await library.run("export", "html", "site")
    #expect(
      run.errors.hasSuffix(
        "Kept site/stories/night.html: it was edited, and its story is no longer exported.\n"))
    #expect(run.code == .failed)
  }

  @Test func `an edited page is kept, named, and replaced with force`() async throws {
    _ = await library.run("export", "html", "site")
    let page = try library.folder.read("site/index.html")
    try library.folder.write("edited", to: "site/index.html")
    let plan = await library.run("export", "html", "site", "--dry-run")
    #expect(plan.code == .failed && plan.errors.hasPrefix("Kept site/index.html: it was edited."))
    let run = await library.run("export", "html", "site")
    #expect(run.code == .failed)
    #expect(
      run.errors.hasSuffix(
        "Kept site/index.html: it was edited. Replace it with --force.\n"))
    let json = await library.run("export", "html", "site", "--json")
    #expect(json.code == .failed && json.json?["kept"] == ["index.html"])
    #expect(try library.folder.read("site/index.html") == "edited")
    let forced = await library.run("export", "html", "site", "--force")
    #expect(forced.code == .done && !forced.errors.contains("Kept"))
    #expect(try library.folder.read("site/index.html") == page)
  }

  @Test func `no export writes into the library`() async throws {
    try library.folder.link("site", to: library.folder.path("stories"))
    let before = try library.folder.files(below: "stories")
    for format in ["html", "epub", "markdown"] {
      for target in [
        ".", "stories", "stories/new", "Stories/new", "site/new", ".stories", ".sync/x", ".git/x",
        "site",
      ] {
        let run = await library.run("export", format, target)
        #expect(run.code == .wrongUsage, "\(format) \(target)")
        #expect(run.errors.contains(" is part of the library\n"), "\(run.errors)")
      }
      let run = await library.run("export", format, "")
      let says = format == "epub" ? "needs " : "must be a folder, not “”"
      #expect(run.code == .wrongUsage && run.errors.contains(says), "\(run.errors)")
    }
    #expect(try library.folder.files(below: "stories") == before)
    #expect(!library.folder.exists(".git") && !library.folder.exists(".sync"))
  }

  @Test func `what cannot be exported is said, and the rest is exported`() async throws {
    try library.folder.write("{", to: "stories/broken.json")
    try library.folder.write(
      #"{"title": "Empty", "hero": "luna", "content": ""}"#, to: "stories/empty.json")
    let run = await library.run("export", "html", "site")
    #expect(run.code == .failed && run.output == "site/index.html\n")
    #expect(
      run.errors.hasSuffix(
        """
        Error: stories/broken cannot be read; see `stories check stories/broken`
        stories/empty was left out: it has no text yet.

        """))
    #expect(library.folder.exists("site/stories/2026/first-snow.html"))
  }

  @Test func `while a folder cannot be read, no page is removed and no book replaced`()
    async throws
  {
    try library.folder.write(SampleLibrary.snow, to: "stories/night.json")
    for arguments in [["html", "site"], ["epub", "a.epub"]] {
      #expect(await CommandSetting(library.folder).run(["export"] + arguments).code == .done)
    }
    let book = try library.folder.bytes("a.epub")
    try library.folder.makeFolder("stories" + String(repeating: "/d", count: 33))
    try library.folder.remove("stories/night.json")
    for arguments in [
      ["html", "site", "--dry-run"], ["html", "site"], ["epub", "a.epub"], ["epub", "b.epub"],
    ] {
      let run = await CommandSetting(library.folder).run(["export"] + arguments)
      #expect(run.code == .failed, "\(arguments)")
      #expect(!run.output.contains("remove"), "\(run.output)")
      #expect(run.errors.contains("folders nest deeper than 32"), "\(run.errors)")
    }
    #expect(library.folder.exists("site/stories/night.html"))
    #expect(try library.folder.bytes("a.epub") == book)
    #expect(library.folder.exists("b.epub"))
  }

  @Test func `targets that are somebody else's are refused`() async throws {
    try library.folder.write("mine", to: "site/index.html")
    try library.folder.write("mine", to: "a.epub")
    for (arguments, message) in [
      (["html", "site"], "Error: site is not empty\n"),
      (["html", "stories"], "Error: stories is part of the library\n"),
      (["html", "."], "Error: . is part of the library\n"),
      (["html", "a.epub"], "Error: a.epub is not a folder\n"),
      (["markdown", "a.epub"], "Error: a.epub is not a folder\n"),
      (["markdown", "a.epub", "--dry-run"], "Error: a.epub is not a folder\n"),
      (["epub", "a.epub"], "Error: a.epub exists and was not written by an export, or was edited"),
      (["epub", "site"], "Error: site exists and was not written by an export, or was edited"),
      (["epub", "b.epub", "heroes/family/otto"], "Error: there are no stories to export\n"),
      (["html", "new", "lna"], "Error: there is no record “lna” in this library\n"),
    ] {
      let run = await CommandSetting(library.folder).run(["export"] + arguments)
      #expect(run.code == .wrongUsage && run.errors.hasPrefix(message), "\(run.errors)")
    }
    #expect(try library.folder.read("site/index.html") == "mine")
    #expect(try library.folder.read("a.epub") == "mine")
  }

  @Test func `a folder that cannot be written is said`() async throws {
    try library.folder.write("", to: "file")
    let run = await library.run("export", "html", "file/site")
    #expect(run.code == .failed && run.errors.contains("file/site"), "\(run.errors)")
    let book = await library.run("export", "epub", "nowhere/a.epub")
    #expect(book.code == .failed && book.errors.contains("nowhere/a.epub"), "\(book.errors)")
    #expect(book.errors.contains("cannot write"))
  }

  @Test func `Ctrl-C ends an export, and the next one completes it`() async throws {
    var setting = CommandSetting(library.folder)
    setting.signals = Signals {
      AsyncStream {
        $0.yield(2); $0.finish()
      }
    }
    _ = await setting.run("export", "html", "site")
    let run = await library.run("export", "html", "site")
    #expect(run.code == .done)
    #expect(try library.folder.files(below: "site").count == 8)
  }
}
