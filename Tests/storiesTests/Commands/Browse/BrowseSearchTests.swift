import Foundation
import StoryAPI
import TestSupport
import Testing

@testable import stories

/// The search page of `stories browse`.
@Suite(.inTurn) struct BrowseSearchTests {
  private let sample: SampleLibrary
  private let library: BrowsedLibrary

  init() throws {
    sample = try SampleLibrary()
    library = try BrowsedLibrary(sample.folder)
  }

  struct Search: Sendable, CustomTestStringConvertible {
    var query: String
    var finds: [String]
    var hides: [String] = []
    var testDescription: String { query }
  }

  @Test(arguments: [
    Search(query: "", finds: ["name=\"q\""], hides: ["Found in", "Nothing was found"]),
    Search(
      query: "SNOW", finds: ["The First <mark>Snow</mark>", "Found in 1 record.", "Luna"]),
    Search(
      query: "window+white",
      finds: ["Luna woke up and the <mark>window</mark> was <mark>white</mark>."]),
    Search(query: "%22the+cat%22", finds: ["whispered <mark>the cat</mark>."]),
    Search(query: "brave", finds: ["href=\"/heroes/luna\"", "<mark>brave</mark>"]),
    Search(query: "snowman", finds: ["Nothing was found."], hides: ["First"]),
    Search(
      query: "%3Cscript%3E%22%27+%26%00", finds: ["value=\"&lt;script&gt;&quot;' &amp;\""],
      hides: ["<script"]),
  ])
  func `words are found and marked`(_ search: Search) throws {
    let text = try library.text("/search?q=\(search.query)")
    for part in search.finds { #expect(text.contains(part), "\(text)") }
    for part in search.hides { #expect(!text.contains(part), "\(text)") }
  }

  @Test func `much that is found has parts, and long lines are cut`() throws {
    let long = String(repeating: "la ", count: 100_000)
    for number in 101...180 {
      try sample.folder.write(
        """
        {"title": "Song \(number)", "hero": "luna", "language": "en",
         "content": ["\(number == 101 ? long : "")melody\(number == 101 ? " " + long : "")"]}
        """, to: "stories/song-\(number).json")
    }
    let first = try library.text("/search?q=melody")
    #expect(first.contains("Found in 80 records.") && first.contains("Page 1 of 2"))
    #expect(first.contains("href=\"/search?q=melody&amp;page=2\""))
    #expect(first.contains("…") && first.utf8.count < 40_000)
    let second = try library.text("/search?q=melody&page=2")
    #expect(second.matches(of: /<mark>melody<\/mark>/).count == 30)
    #expect(try library.get("/search?q=melody&page=3").status == 404)
  }
}
