import Foundation
import JSONText
import StoryAPI
import TestSupport
import Testing

@testable import stories

/// What the pages of `stories browse` show, and what they change.
@Suite(.inTurn) struct BrowsePagesTests {
  private let sample: SampleLibrary
  private let library: BrowsedLibrary

  init() throws {
    sample = try SampleLibrary()
    library = try BrowsedLibrary(sample.folder)
  }

  private static let snow = "/stories/2026/first-snow"
  private static let record = "stories/2026/first-snow.json"

  private func story(title: String, content: String, more: String = "") throws -> String {
    func json(_ text: String) throws -> String {
      String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }
    return """
      {"title": \(try json(title)), "hero": "luna", "language": "en", "content": \(try json(content))\(more)}

      """
  }

  @Test func `every page is there`() throws {
    for (path, text) in [
      ("/", "Luna"), ("/stories", "The First Snow"), ("/heroes/luna", "talks to stars"),
      ("/heroes/family/otto", "Otto"), (Self.snow, "She did not stop for socks."),
      ("/favorites", "Favorites"), ("/languages", "English"), ("/dates", "Not on a server yet"),
    ] {
      let answer = try library.get(path)
      #expect(answer.status == 200 && answer.page.contains(text), "\(path)")
      #expect(answer.headers["Content-Type"] == "text/html; charset=utf-8")
    }
  }

  @Test func `pages are made from the files as they are`() throws {
    try sample.folder.edit(Self.record, "The First Snow", to: "The Second Snow")
    #expect(try library.text("/").contains("The Second Snow"))
    #expect(
      try library.text(Self.snow).contains("<h1 lang=\"en\" dir=\"auto\">The Second Snow</h1>"))
    try sample.folder.write(
      try story(title: "New", content: "A new one."), to: "stories/new.json")
    #expect(try library.text("/stories").contains("/stories/new"))
    try sample.folder.edit("heroes/luna.json", "\"Luna\"", to: "\"Selene\"")
    #expect(try library.text(Self.snow).contains("Selene"))
    try sample.folder.edit("events/lost-tooth.json", "A Lost Tooth", to: "A Found Tooth")
    #expect(try library.text(Self.snow).contains("A Found Tooth"))
    try sample.folder.remove("stories/new.json")
    #expect(try library.get("/stories/new").status == 404)
    try sample.folder.move("heroes/luna.json", to: "heroes/sky/luna.json")
    #expect(try library.get("/heroes/luna").status == 404)
    #expect(try library.text("/heroes/sky/luna").contains("Selene"))
  }

  @Test func `a reading and the star are edits of the file, which keeps its form`() async throws {
    try await sample.push()
    let text = """
      {   "title" : "The First Snow",
          "hero": "luna", "event": "lost-tooth", "language": "en",
          "mood": "mine \\u0041",   "playCount": 4,
          "content": ["Luna woke up and the window was white.", "",
              "It came at night, whispered the cat.", "", "She did not stop for socks."]  }
      """
    try sample.folder.write(text, to: Self.record)
    let token = try library.formToken(Self.snow)
    #expect(try library.post("/read/2026/first-snow", "token=\(token)").status == 303)
    let counted = text.replacing("\"playCount\": 4", with: "\"playCount\": 5")
    #expect(try sample.folder.read(Self.record) == counted)
    // The button was pressed twice.
    #expect(try library.post("/read/2026/first-snow", "token=\(token)").status == 303)
    #expect(try sample.folder.read(Self.record) == counted)
    let page = try library.text(Self.snow)
    #expect(page.contains("read 5 times") && page.contains("Read 5 times"))
    let again = try library.formToken(Self.snow)
    let answer = try library.post("/favorite/2026/first-snow", "favorite=yes&token=\(again)")
    #expect(answer.headers["Location"].map(library.short) == Self.snow + "#actions")
    let starred = try sample.folder.read(Self.record)
    #expect(starred.contains("\"mood\": \"mine \\u0041\",   \"playCount\": 5"))
    #expect(starred.contains("\"isFavorite\": true"))
    #expect(try library.text("/favorites").contains("The First Snow"))
    #expect(try library.text(Self.snow).contains("No longer a favorite"))
    let status = await sample.run("status", "--json")
    #expect(status.output.contains("isFavorite") && status.output.contains("playCount"))
    // Flipped to what it is already: nothing changes.
    _ = try library.post("/favorite/2026/first-snow", "favorite=yes&token=\(again)")
    #expect(try sample.folder.read(Self.record) == starred)
    _ = try library.post("/favorite/2026/first-snow", "favorite=no&token=\(again)")
    #expect(try sample.folder.read(Self.record).contains("\"isFavorite\": false"))
  }

  @Test func `a record that cannot be read is a page of its own`() throws {
    try sample.folder.write("{\"title\": \"Broken\",\n  \"hero\": }", to: "stories/broken.json")
    try sample.folder.write(try story(title: "Later", content: ""), to: "stories/draft.json")
    let broken = try library.get("/stories/broken")
    #expect(broken.status == 200)
    #expect(broken.page.contains("stories/broken.json:2:11"), "\(broken.page)")
    #expect(
      try library.text("/")
        .contains("<a href=\"/stories/broken\" dir=\"auto\">stories/broken</a>"))
    #expect(try library.text("/stories").contains("The First Snow"))
    let draft = try library.get("/stories/draft")
    #expect(draft.status == 200 && draft.page.contains("<h1>Later</h1>"), "\(draft.page)")
    #expect(draft.page.contains("This is a draft: it has no text yet."), "\(draft.page)")
    #expect(try library.get(Self.snow).status == 200)
    let token = try library.formToken(Self.snow)
    // What cannot be changed stays as it is, and a later press counts.
    try sample.folder.edit(Self.record, "\"luna\"", to: "\"nobody\"")
    let failed = try library.post("/read/2026/first-snow", "token=\(token)")
    #expect(failed.status == 500 && failed.page.contains("nobody"), "\(failed.page)")
    try sample.folder.edit(Self.record, "\"nobody\"", to: "\"luna\"")
    #expect(try library.post("/read/2026/first-snow", "token=\(token)").status == 303)
    #expect(try library.text(Self.snow).contains("read once"))
  }

  @Test func `a form about a record that cannot be read says why`() throws {
    let token = try library.formToken(Self.snow)
    try sample.folder.write("{\"title\": \"Broken\",\n  \"hero\": }", to: Self.record)
    for (form, fields) in [("read", ""), ("favorite", "favorite=yes&")] {
      let answer = try library.post("/\(form)/2026/first-snow", fields + "token=\(token)")
      #expect(answer.status == 500)
      #expect(answer.page.contains("\(Self.record):2:11"), "\(answer.page)")
    }
  }

  @Test(arguments: ["read", "favorite"])
  func `the address of a button leads to its story`(_ form: String) throws {
    let answer = try library.get("/\(form)/2026/first-snow")
    #expect(answer.status == 303)
    #expect(answer.headers["Location"].map(library.short) == Self.snow)
  }

  @Test func `a library that goes away is not shown as an empty one`() throws {
    #expect(try library.get("/").status == 200)
    try sample.folder.move("library.json", to: "library.old")
    for path in ["/", "/stories", "/search?q=snow", "/changes", "/conflicts", "/sync"] {
      let answer = try library.get(path)
      #expect(answer.status == 500, "\(path)")
      #expect(answer.page.contains("library.json"), "\(path): \(answer.page)")
    }
    try sample.folder.write("{\n", to: "library.json")
    let broken = try library.get("/")
    #expect(broken.status == 500 && broken.page.contains("library.json:2"), "\(broken.page)")
    try sample.folder.move("library.old", to: "library.json")
    #expect(try library.text("/").contains("The First Snow"))
  }

  @Test func `commands on error pages are code`() throws {
    let stranger = try library.send(.get, "/")
    #expect(stranger.status == 403)
    #expect(stranger.page.contains("<code>stories browse</code>"), "\(stranger.page)")
    #expect(!stranger.page.contains("`"))
  }

  @Test func `hostile titles and texts are only text`() throws {
    let title = "</title><script>alert(1)</script>\u{202E}\u{0}<b a=\"'"
    let long = String(repeating: "snow ", count: 200_000)
    let hostile = try story(
      title: title, content: "<img src=x onerror=alert(2)>\u{0}\n\n</main>\n\n\(long)")
    try sample.folder.write(hostile, to: "stories/a b'\"<&?#%.json")
    let path = "/stories/a%20b%27%22%3C%26%3F%23%25"
    for page in ["/", "/stories", "/heroes/luna", path] {
      let text = try library.text(page)
      #expect(text.contains("&lt;script>alert(1)") || text.contains("&lt;script&gt;alert(1)"))
      #expect(!text.contains("<script") && !text.contains("<img src=x") && !text.contains("\0"))
      #expect(text.contains("href=\"\(path)\"") || page == path)
      #expect(text.components(separatedBy: "</main>").count == 2)
    }
    #expect(try library.text(path).utf8.count > 1_000_000)
    let token = try library.formToken(path)
    let form = path.replacing("/stories/", with: "/favorite/")
    let answer = try library.post(form, "favorite=yes&token=\(token)")
    #expect(
      answer.status == 303 && answer.headers["Location"].map(library.short) == path + "#actions")
    #expect(try library.text("/favorites").contains(path))
  }

  @Test func `a list that is long has parts`() throws {
    for number in 1...450 {
      let name = "s" + String(number + 1_000).dropFirst()
      try sample.folder.write(
        try story(title: "Story \(name)", content: "Text.", more: ", \"isFavorite\": true"),
        to: "stories/\(name).json")
    }
    let first = try library.text("/stories")
    #expect(first.matches(of: /class="row"/).count == 200)
    #expect(first.contains("Page 1 of 3") && first.contains("href=\"/stories?page=2\""))
    #expect(first.contains("Story s200") && !first.contains("Story s201"))
    let last = try library.text("/stories?page=3")
    #expect(last.matches(of: /class="row"/).count == 51)
    #expect(last.contains("The First Snow") && last.contains("Story s401"))
    #expect(try library.get("/stories?page=4").status == 404)
    #expect(try library.text("/favorites?page=3").contains("Story s450"))
  }
}
