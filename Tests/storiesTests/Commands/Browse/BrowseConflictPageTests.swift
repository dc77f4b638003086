import JSONText
import TestSupport
import Testing

@testable import stories

/// The pages of changes and conflicts of the built program in a real browser.
@Suite(.inTurn, .withChromium) struct BrowseConflictPageTests {
  private static let story = ConflictedLibraries.story

  /// The program in Ben's library.
  private func browse(_ world: ConflictedLibraries) throws -> BrowsedLibrary {
    try BrowsedLibrary(world.folder) { program in
      program.folder = world.folder.path("ben")
      program.environment.merge(world.ben.environment) { $1 }
    }
  }

  @Test func `a conflict is resolved by clicking`() async throws {
    let world = try await ConflictedLibraries()
    let browsed = try browse(world)
    let page = try browsed.open("/", in: Chromium())
    try page.click("nav a[href$='/conflicts']")
    try page.waitForLoad()
    #expect(try page.value("document.querySelectorAll('.records > li').length") == 2)
    try page.click(".records a[href$='/conflicts/\(Self.story)']")
    try page.waitForLoad()
    #expect(try page.text("h1") == "My Snow")
    let shown = try page.text(".field .sides")
    #expect(shown.contains("Snow") && shown.contains("Their"))
    #expect(try page.value("document.querySelectorAll('ins').length > 1") == true)
    try page.click("[name='choice.title'][value='server']")
    try page.click("[name='choice.content'][value='both']")
    try page.click(".field ~ .do button")
    try page.waitForLoad()
    #expect(
      try page.value("location.pathname + location.search")
        == .string(browsed.root + "/conflicts?resolved=stories%2F2026%2Ffirst-snow"))
    #expect(try page.text(".notice.good") == "\(Self.story) is not in conflict any more.")
    #expect(try page.value("document.querySelectorAll('.records > li').length") == 1)
    #expect(page.complaints.isEmpty)
    #expect(browsed.strayRequests(page).isEmpty)
    let value = try world.value()
    #expect(value["title"] == "Their Snow")
    let text = value["content"]?.compactText ?? ""
    #expect(text.contains("a cat") && text.contains("the dog") && text.contains("socks or shoes"))
  }

  @Test func `a conflict is resolved by keyboard alone`() async throws {
    let world = try await ConflictedLibraries()
    let browsed = try browse(world)
    let page = try browsed.open("/conflicts", in: Chromium())
    try page.tab(to: ".records a[href$='/conflicts/\(Self.story)']")
    try page.press("Enter")
    try page.waitForLoad()
    // A text field is there only once somebody wants to edit.
    #expect(try page.value("document.querySelector('textarea').offsetParent === null") == true)
    try page.tab(to: "[name='choice.title']")
    try page.press("ArrowUp")
    #expect(try page.value("document.activeElement.value") == "edit")
    try page.tab(to: "textarea[name='text.title']")
    #expect(try page.value("document.activeElement.value") == "My Snow")
    _ = try page.value("document.activeElement.select()")
    try page.type("Snow <b>\"&amp;\"</b> for Two")
    try page.tab(to: "[name='choice.content']")
    try page.press("ArrowDown")
    #expect(try page.value("document.activeElement.value") == "local")
    try page.tab(to: ".field ~ .do button")
    try page.press("Enter")
    try page.waitForLoad()
    #expect(try page.text(".notice.good") == "\(Self.story) is not in conflict any more.")
    #expect(page.complaints.isEmpty)
    let value = try world.value()
    #expect(value["title"] == "Snow <b>\"&amp;\"</b> for Two")
    #expect(value["content"]?.compactText.contains("a cat") == true)
  }

  @Test(.withAxe) func `a text that no choice uses is shown again, until it is used`() async throws
  {
    let world = try await ConflictedLibraries()
    let browsed = try browse(world)
    let page = try browsed.open("/conflicts/\(Self.story)", in: Chromium(), .phone)
    try page.click("[name='choice.title'][value='edit']")
    try page.click("textarea[name='text.title']")
    try page.type("Our ")
    try page.click("[name='choice.title'][value='local']")
    #expect(try page.value("document.querySelector('textarea').offsetParent === null") == true)
    try page.click("[name='whole'][value='local']")
    try page.waitForLoad()
    #expect(try page.text(".notice.error").contains("would drop a text that you wrote"))
    // It is there to be seen, though another choice is made.
    #expect(try page.value("document.querySelector('textarea').offsetParent !== null") == true)
    #expect(try page.value("document.querySelector('textarea').value.includes('Our ')") == true)
    #expect(try page.text(".do a") == "Start over")
    #expect(try page.faults() == [])
    try page.click("[name='choice.title'][value='edit']")
    try page.click(".field ~ .do button")
    try page.waitForLoad()
    #expect(try world.value()["title"]?.string?.contains("Our ") == true)
  }

  private static let pages = [
    "/changes", "/conflicts", "/conflicts/\(story)", "/conflicts/events/power-cut", "/sync",
  ]

  @Test(.withAxe)
  func `pages fit screens and thumbs, ask for nothing elsewhere, and have no fault`() async throws {
    let world = try await ConflictedLibraries()
    try world.folder.edit("ben/heroes/luna.json", "7", to: "8")
    try world.folder.write("{\"title\": ", to: "ben/stories/broken.json")
    try world.folder.write(SampleLibrary.tooth, to: "ben/events/<script>.json")
    let (browsed, browser) = try (browse(world), Chromium())
    for screen in BrowserPage.Screen.all {
      let page = try browsed.open("/", in: browser, screen)
      for path in Self.pages {
        try page.open(browsed.url(path))
        #expect(page.complaints.isEmpty, "\(path)")
        #expect(browsed.strayRequests(page).isEmpty, "\(path)")
        let overflow = try page.value("document.documentElement.scrollWidth - innerWidth").integer
        #expect(overflow == 0, "\(path) is wider than \(screen)")
        #expect(try page.smallTargets() == [], "\(path) on \(screen)")
        #expect(try page.value("document.scripts.length") == 0)
        #expect(try page.faults() == [], "\(path) on \(screen)")
      }
    }
  }
}
