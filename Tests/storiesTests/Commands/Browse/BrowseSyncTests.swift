import Foundation
import JSONText
import StoryAPI
import StoryLibrary
import StoryPages
import StoryServer
import TestSupport
import Testing

@testable import stories

/// Syncs that a page of the built program starts.
@Suite(.inTurn, .withChromium) struct BrowseSyncTests {
  /// Returns the value of an expression; the page loads itself again all the time.
  private func value(_ expression: String, on page: BrowserPage) throws -> JSONValue {
    for _ in 0..<40 {
      // Between two pages there is nobody to ask.
      if let value = try? page.value(expression) { return value }
      usleep(50_000)
    }
    return try page.value(expression)
  }

  /// Waits until the page has what a selector finds.
  private func wait(for selector: String, on page: BrowserPage) throws {
    var isThere = false
    waitUntil {
      isThere =
        (try? value("document.querySelector('\(selector)') !== null", on: page)) == true
      return isThere
    }
    if !isThere { throw BrowserPage.Missing(selector: selector) }
  }

  @Test func `a page starts a sync, shows its progress, and reports as the command does`()
    async throws
  {
    let world = try ServedLibraries()
    let program = try world.program("lib")
    try world.writeHeroes(1...3, in: "lib")
    let gate = Gate()
    world.server.server.addFault(
      FaultRule(.before { _ in gate.pass() }, method: "POST", number: 1))
    let browsed = try BrowsedLibrary(world.folder) { $0 = program }
    let browser = try Chromium()
    let page = try browsed.open("/sync", in: browser)
    #expect(try page.text("main").contains(world.server.url))
    let token = try browsed.formToken("/sync")
    try page.tab(to: "button[value='both']")
    try page.press("Enter")
    try page.waitForLoad()
    #expect(gate.waitForArrival())
    try wait(for: "progress", on: page)
    let shown = try value(
      """
      [document.querySelector('meta[http-equiv=refresh]').content,
       document.querySelector('h1').innerText]
      """, on: page)
    #expect(shown == ["2", "Syncing"])
    // A second one does not start.
    let other = try browsed.open("/sync", in: browser)
    #expect(try value("document.querySelector('form') === null", on: other) == true)
    let directions = ["both": 303, "push": 409, "pull": 409]
    for (direction, status) in directions {
      let answer = try browsed.post("/sync", "direction=\(direction)&token=\(token)")
      #expect(answer.status == status, "\(direction): \(answer.page)")
    }
    gate.open()
    try wait(for: ".report", on: page)
    let report = try page.text(".report")
    #expect(
      report.hasPrefix("Sent to \(world.server.url):\n  created  heroes/hero-1\n"), "\(report)")
    #expect(report.contains("\n\nSent 3 heroes in "), "\(report)")
    let time = /The last sync ended (just now|[0-9]+ min ago), at 20..-..-.. ..:.. UTC\./
    #expect(try page.text("main").contains(time))
    #expect(try page.value("document.querySelector('.error') === null") == true)
    #expect(try page.value("document.querySelector('meta[http-equiv=refresh]') === null") == true)
    #expect(page.complaints.isEmpty)
    #expect(browsed.strayRequests(page).isEmpty)
    browsed.running.signal(SIGINT)
    #expect(browsed.running.wait().code == 0)
    #expect(try world.heroes() == ["Hero 1", "Hero 2", "Hero 3"])
  }

  @Test func `Ctrl-C ends a running sync, and nothing is lost`() async throws {
    let world = try ServedLibraries { $0.features.remove(.batch) }
    let program = try world.program("lib")
    try world.writeHeroes(1...30, in: "lib")
    let gate = Gate()
    let server = world.server.server
    server.addFault(
      FaultRule(.before { _ in gate.pass() }, method: "POST", path: "/api/heroes", number: 1))
    // Time for the signal to arrive; without it the answers would be too fast for it.
    server.addFault(FaultRule(.delay(milliseconds: 250), method: "POST", path: "/api/heroes"))
    let browsed = try BrowsedLibrary(world.folder) { $0 = program }
    let browser = try Chromium()
    let page = try browsed.open("/sync", in: browser)
    try page.click("button[value='push']")
    try page.waitForLoad()
    #expect(gate.waitForArrival())
    browsed.running.signal(SIGINT)
    gate.open()
    let result = browsed.running.wait()
    server.removeFaults()
    #expect(result.code == 0)
    #expect(result.errors.hasSuffix("The sync was stopped; `stories sync` continues it.\n"))
    let sent = try world.heroes().count
    #expect(sent > 0 && sent < 30)
    let next = try program.run("sync")
    #expect(next.code == 0, "\(next.errors)")
    #expect(try world.heroes().count == 30)
  }

  @Test func `another process's sync is not waited for`() async throws {
    let world = try ServedLibraries()
    let program = try world.program("lib")
    let lock = try LibraryLock(Library(root: world.folder.path("lib")))
    let page = try report(BrowsedLibrary(world.folder) { $0 = program })
    #expect(page.hasPrefix("Error: another command is changing this library: process "))
    #expect(page.contains("\nHint: wait until it is done"))
    withExtendedLifetime(lock) {}
  }

  @Test func `without a sign-in the page says which command to run`() async throws {
    let world = try ServedLibraries()
    var program = try world.program("lib")
    program.environment["STORIES_TOKEN"] = nil
    let told = try program.run("sync")
    let page = try report(BrowsedLibrary(world.folder) { $0 = program })
    #expect(page == told.errors.trimmingCharacters(in: .newlines))
    #expect(page.contains("stories sign-in"))
  }

  /// A command finds a library around the folder it works in; a page that was opened for one library
  /// must not act on another.
  @Test func `if the library goes away, the one around it is not synced`() async throws {
    let world = try ServedLibraries()
    _ = try world.program("outer")
    try world.writeHeroes(1...2, in: "outer")
    let program = try world.program("outer/inner")
    let browsed = try BrowsedLibrary(world.folder) { $0 = program }
    let token = try browsed.formToken("/sync")
    try world.folder.remove("outer/inner/library.json")
    let answer = try browsed.post("/sync", "direction=both&token=\(token)")
    if answer.status == 303 { try waitForEnd(browsed) }
    #expect(answer.page.contains("library.json"), "\(answer.page)")
    #expect(try world.heroes() == [])
  }

  @Test func `no sync starts once the end has begun`() async throws {
    let sample = try SampleLibrary()
    let context = Context(silentIn: sample.folder.path)
    let sync = BrowseSync(context)
    #expect(await sync.stop() == false)
    #expect(sync.start(.both, of: try context.library()) == .stopped)
    guard case .none = sync.page(server: "").state else {
      Issue.record("a sync was started")
      return
    }
  }

  @Test func `the server is the one that the library names now`() async throws {
    let sample = try SampleLibrary()
    let browsed = try BrowsedLibrary(sample.folder)
    #expect(try browsed.text("/sync").contains("Server: embedded"))
    let server = "http://127.0.0.1:1"
    _ = try BuiltProgram(in: sample.folder).run("remote", "set", server)
    #expect(try browsed.text("/sync").contains("Server: \(server)"))
  }

  @Test(arguments: ["", "direction=", "direction=x", "direction=Both"])
  func `a form without a direction starts nothing`(_ fields: String) async throws {
    let world = try ServedLibraries()
    let program = try world.program("lib")
    try world.writeHeroes(1...2, in: "lib")
    let browsed = try BrowsedLibrary(world.folder) { $0 = program }
    let token = try browsed.formToken("/sync")
    let answer = try browsed.post("/sync", "\(fields)&token=\(token)")
    if answer.status == 303 { try waitForEnd(browsed) }
    #expect(answer.status == 422)
    #expect(answer.page.contains("value=\"pull\""), "\(answer.page)")
    #expect(try world.heroes() == [])
  }

  /// Waits until no sync is running.
  private func waitForEnd(_ browsed: BrowsedLibrary) throws {
    for _ in 0..<600 {
      if try !browsed.text("/sync").contains("http-equiv=\"refresh\"") { return }
      usleep(50_000)
    }
  }

  /// Starts a sync and returns what its end says.
  private func report(_ browsed: BrowsedLibrary) throws -> String {
    let page = try browsed.open("/sync", in: Chromium())
    try page.click("button[value='both']")
    try page.waitForLoad()
    try wait(for: ".report.error", on: page)
    return try page.text(".report.error")
  }
}
