import Foundation
import JSONText
import TestSupport
import Testing

@testable import stories

/// The pages of `stories browse` in a real browser, on phones and large screens, by day and by night.
@Suite(.inTurn, .withChromium) struct BrowserBrowseTests {
  private let folder: TemporaryFolder
  private let library: BrowsedLibrary

  init() throws {
    folder = try TemporaryFolder()
    try folder.copySampleData()
    let title = "<script>document.title='hacked'<\\/script>\u{202E}\\u0000"
    try folder.write(
      """
      {"title": "\(title)", "hero": "luna", "language": "en",
       "content": ["\(String(repeating: "W", count: 400))", "", "שלום עולם"]}
      """, to: "stories/hostile.json")
    try folder.write("{", to: "stories/broken.json")
    try folder.write(
      """
      {"title": "Quiet Snow", "hero": "luna", "language": "en",
       "content": ["\(String(repeating: "It fell.\\n\\n", count: 60))"]}
      """, to: "stories/quiet.json")
    library = try BrowsedLibrary(folder)
  }

  private static let pages = [
    "/", "/stories", "/favorites", "/languages", "/dates", "/heroes/luna", "/stories/first-snow",
    "/stories/hostile", "/search?q=snow",
  ]
  /// Pages with another status than 200, which browsers note on the console.
  private static let faultyPages = ["/stories/broken", "/nothing"]

  /// Whether a request is for one of our pages, or for what the browser draws its controls with.
  private func isOwn(_ request: String) -> Bool {
    request.hasPrefix(library.origin + "/") || request.hasPrefix("data:image/svg+xml;base64,")
  }

  private func page(_ browser: Chromium, _ screen: BrowserPage.Screen) throws -> BrowserPage {
    let page = try BrowserPage(in: browser, screen)
    try page.open(library.address)
    return page
  }

  @Test func `the address unlocks the pages, only there, and no other server gets the cookie`()
    async throws
  {
    let browser = try Chromium()
    let page = try page(browser, .desk)
    #expect(try page.value("location.href").string == library.url("/"))
    #expect(try page.value("document.cookie") == "")
    #expect(try page.value("document.querySelector('.heroes') !== null") == true)
    let stranger = try BrowserPage(in: browser, .desk, isApart: true)
    try stranger.open(library.url("/stories/first-snow"))
    let text = try stranger.value("document.body.textContent").string ?? ""
    #expect(text.contains("stories browse") && !text.contains("Luna"))
    // Browsers send cookies to all ports of a host, so to servers of other users too.
    func cookies(_ address: String) throws -> Int? {
      try page.call("Network.getCookies", ["urls": [.string(address)]])["cookies"]?.array?.count
    }
    #expect(try cookies(library.url("/")) == 1)
    #expect(try cookies(library.url("/stories/first-snow")) == 1)
    for address in ["\(library.origin)/", "http://127.0.0.1:1/", "http://127.0.0.1:1/stories"] {
      #expect(try cookies(address) == 0, "\(address)")
    }
  }

  @Test func `pages complain of nothing, ask for nothing elsewhere, and fit screens and thumbs`()
    async throws
  {
    let browser = try Chromium()
    for screen in BrowserPage.Screen.all {
      let page = try page(browser, screen)
      for name in Self.pages + Self.faultyPages {
        try page.open(library.url(name))
        #expect(page.complaints.isEmpty || Self.faultyPages.contains(name), "\(name)")
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

  @Test(.withAxe)
  func `axe-core finds no fault`() async throws {
    let browser = try Chromium()
    for screen in BrowserPage.Screen.all {
      let page = try page(browser, screen)
      // It is a script, which the pages' policy would refuse.
      try page.call("Page.setBypassCSP", ["enabled": true])
      for name in Self.pages + Self.faultyPages {
        try page.open(library.url(name))
        let faults = try page.faults()
        #expect(faults.isEmpty, "\(name) on \(screen)")
      }
    }
  }

  @Test func `a parent finds a story on a phone, reads it, and gives it a star`() async throws {
    let page = try page(try Chromium(), .phone)
    _ = try page.value("document.querySelector('nav a[href$=\"/search\"]').click()")
    try page.waitForLoad()
    _ = try page.value("document.querySelector('input[type=search]').value = 'quiet snow'")
    _ = try page.value("document.querySelector('form button').click()")
    try page.waitForLoad()
    #expect(try page.value("document.querySelectorAll('mark').length > 0") == true)
    _ = try page.value("document.querySelector('a[href$=\"/stories/quiet\"]').click()")
    try page.waitForLoad()
    #expect(try page.value("document.querySelector('h1').textContent") == "Quiet Snow")
    let old = try folder.read("stories/quiet.json")
    #expect(!old.contains("playCount") && !old.contains("isFavorite"))
    _ = try page.value("document.querySelector('form[action*=\"/read/\"] button').click()")
    try page.waitForLoad()
    // Back at the buttons, where the new number is.
    #expect(try page.value("location.href").string == library.url("/stories/quiet#actions"))
    #expect(try page.text(".actions p") == "Read once")
    let isShown =
      "(({top, bottom}) => scrollY > 0 && top >= 0 && bottom <= innerHeight)"
      + "(document.querySelector('.actions').getBoundingClientRect())"
    try page.wait(until: isShown)
    let facts = try page.value("document.querySelector('.facts').textContent").string ?? ""
    #expect(facts.contains("read once"))
    // The star by keyboard.
    for _ in 0..<60
    where try page.value("document.activeElement.matches('form[action*=\"/favorite/\"] button')")
      != true
    {
      try page.press("Tab")
    }
    try page.press("Enter")
    try page.waitForLoad()
    #expect(try page.value("document.querySelector('.facts .star') !== null") == true)
    let new = try folder.read("stories/quiet.json")
    #expect(new.contains("\"playCount\": 1") && new.contains("\"isFavorite\": true"))
    #expect(page.complaints.isEmpty)
  }

  @Test func `a story is found, read and counted by keyboard alone`() async throws {
    let page = try page(try Chromium(), .desk)
    try page.tab(to: "nav a[href$='/search']")
    try page.press("Enter")
    try page.waitForLoad()
    try page.tab(to: "input[type=search]")
    try page.type("quiet snow")
    try page.press("Enter")
    try page.waitForLoad()
    try page.tab(to: ".hits a")
    try page.press("Enter")
    try page.waitForLoad()
    #expect(try page.text("h1") == "Quiet Snow")
    try page.tab(to: "form[action*='/read/'] button")
    try page.press("Enter")
    try page.waitForLoad()
    #expect(try folder.read("stories/quiet.json").contains("\"playCount\": 1"))
    // The keyboard goes on from the buttons, not from the top of the page.
    try page.wait(until: "scrollY > 0")
    try page.press("Tab")
    #expect(try page.value("document.activeElement.closest('.actions') !== null") == true)
    try page.tab(to: ".on a[rel=next]")
    try page.press("Enter")
    try page.waitForLoad()
    #expect(try page.text("h1") != "Quiet Snow")
    #expect(page.complaints.isEmpty)
  }

  /// A page of another server that knows the address cannot change anything, nor look.
  @Test func `other pages cannot use the cookie`() async throws {
    let old = try folder.read("stories/first-snow.json")
    let token = try library.formToken("/stories/first-snow")
    let other = try BrowsedLibrary(try SampleLibrary().folder)
    let page = try page(try Chromium(), .desk)
    try page.call("Page.setBypassCSP", ["enabled": true])
    // Another port is another origin, but the same site: even the strict cookie is sent.
    try page.open(other.address)
    let form = """
      const form = document.createElement('form');
      form.method = 'post'; form.action = '\(library.url("/favorite/first-snow"))';
      form.innerHTML = '<input name="token" value="\(token)"><input name="favorite" value="yes">';
      document.body.append(form); form.submit();
      """
    _ = try page.value(form)
    try page.waitForLoad()
    let text = try page.value("document.body.textContent").string ?? ""
    #expect(text.contains("Nothing was changed"), "\(text)")
    try page.open(other.url("/"))
    let seen = try page.value(
      "fetch('\(library.url("/"))', {credentials: 'include'}).then(r => r.text(), () => 'refused')"
    )
    #expect(seen == "refused")
    #expect(try folder.read("stories/first-snow.json") == old)
  }
}
