import Foundation
import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import StoryPages

/// An exported site in a real browser, on phones and large screens, by day and by night.
@Suite(.inTurn, .withChromium) struct BrowserTests {
  private let sample: SampleShelf

  init() throws {
    sample = try SampleShelf.sampleData()
    let media = try sample.media(of: "first-snow", hero: "luna", sound: SampleSound.wav(8_192))
    try sample.writeStory(
      "hostile", title: "<script>document.title='hacked'</script>\u{202E}", hero: "luna",
      language: "en", content: String(repeating: "W", count: 400) + "\n\nשלום עולם")
    try sample.export(sample.shelf(media: media))
  }

  private static let pages = [
    "index.html", "stories.html", "favorites.html", "languages.html", "heroes/luna.html",
    "stories/first-snow.html", "stories/hostile.html", "paper.html",
  ]

  private func address(_ page: String) -> String {
    URL(fileURLWithPath: sample.folder.path("site/" + page)).absoluteString
  }

  /// Whether a request is for a file of the site, or for what the browser itself draws its controls with.
  private func isOwn(_ request: String) -> Bool {
    request.hasPrefix(address("")) || request.hasPrefix("data:image/svg+xml;base64,")
  }

  @Test func `pages complain of nothing, ask for nothing elsewhere, and fit screens and thumbs`()
    async throws
  {
    let browser = try Chromium()
    for screen in BrowserPage.Screen.all {
      let page = try BrowserPage(in: browser, screen)
      for name in Self.pages {
        try page.open(address(name))
        #expect(page.complaints.isEmpty, "\(name) on \(screen)")
        #expect(page.requests.allSatisfy(isOwn), "\(name): \(page.requests)")
        #expect(try page.value("document.title") != "hacked")
        let overflow = try page.value("document.documentElement.scrollWidth - innerWidth").integer
        #expect(overflow == 0, "\(name) is wider than \(screen)")
        #expect(try page.smallTargets() == [], "\(name) on \(screen)")
        let color = try page.value("getComputedStyle(document.body).backgroundColor").string
        #expect(color == (screen.isDark ? "rgb(20, 21, 42)" : "rgb(251, 247, 239)"), "\(name)")
      }
    }
  }

  /// Contrast, headings, labels, texts of pictures, and what else keeps people from reading a page.
  @Test(.withAxe)
  func `axe-core finds no fault`() async throws {
    let browser = try Chromium()
    for screen in BrowserPage.Screen.all {
      let page = try BrowserPage(in: browser, screen)
      for name in Self.pages {
        try page.open(address(name))
        let faults = try page.faults()
        #expect(faults.isEmpty, "\(name) on \(screen)")
      }
      // What it would say of grey on grey.
      try page.open(address("index.html"))
      _ = try page.value("document.querySelector('.foot').style.color = '#777'")
      _ = try page.value("document.querySelector('.foot').style.background = '#888'")
      let faults = try page.faults()
      #expect(faults.count == 1 && faults.first?.hasPrefix("color-contrast") == true)
    }
  }

  @Test func `a parent reads a story on a phone, and goes on to the next by keyboard`() async throws
  {
    let page = try BrowserPage(in: try Chromium(), .phone)
    try page.open(address("index.html"))
    _ = try page.value(
      "[...document.querySelectorAll('a.row')].find(a => a.textContent.includes('First Snow')).click()"
    )
    try page.waitForLoad()
    #expect(try page.value("document.querySelector('h1').textContent") == "The First Snow")
    #expect(try page.value("document.querySelectorAll('.text figure img').length") == 2)
    let size = try page.value(
      "Math.round(parseFloat(getComputedStyle(document.querySelector('.text p')).fontSize))")
    #expect((size.integer ?? 0) >= 20, "\(size)")
    #expect(
      try page.value("document.querySelector('audio').getAttribute('aria-label')") == "Narration")
    // The first key leads past the navigation, the last ones to the next story.
    try page.press("Tab")
    #expect(try page.value("document.activeElement.className") == "skip")
    try page.press("Enter")
    #expect(try page.value("location.hash") == "#main")
    for _ in 0..<40 where try page.value("document.activeElement.rel") != "next" {
      try page.press("Tab")
    }
    let next = try page.value("document.activeElement.querySelector('.title').textContent")
    try page.press("Enter")
    try page.waitForLoad()
    #expect(try page.value("document.querySelector('h1').textContent") == next)
  }

  @Test func `on paper, each story begins a page and nothing is there to click`() async throws {
    let page = try BrowserPage(in: try Chromium(), .desk)
    try page.open(address("paper.html"))
    try page.call("Emulation.setEmulatedMedia", ["media": "print"])
    #expect(
      try page.value(
        "[...document.querySelectorAll('a, nav, audio')].filter(e => e.offsetParent).length") == 0
    )
    #expect(
      try page.value("getComputedStyle(document.querySelector('article')).breakBefore") == "page")
    #expect(try page.value("document.querySelectorAll('article').length") == 16)
    #expect(try page.value("document.querySelectorAll('[loading]').length") == 0)
    let printed = try page.call("Page.printToPDF")["data"]?.string ?? ""
    #expect(printed.utf8.count > 50_000)
  }
}
