import Foundation
import JSONText
import StoryAPI
import TestSupport
import Testing

@testable import stories

/// Who gets in to the pages of `stories browse`, and from where something may be changed.
@Suite(.inTurn) struct BrowseGateTests {
  private let sample: SampleLibrary
  private let library: BrowsedLibrary

  init() throws {
    sample = try SampleLibrary()
    library = try BrowsedLibrary(sample.folder)
  }

  private static let snow = "/stories/2026/first-snow"
  private static let record = "stories/2026/first-snow.json"

  @Test func `the token is exchanged for a cookie, and leaves the address bar`() throws {
    let entry = try library.send(.get, String(library.address.dropFirst(library.origin.count)))
    #expect(entry.status == 303)
    #expect(entry.headers["Location"] == library.root + "/")
    #expect(library.root.wholeMatch(of: /\/[0-9a-f]{64}/) != nil)
    let cookie = try #require(entry.headers["Set-Cookie"])
    // Other servers of this machine, on other ports, do not get it.
    #expect(cookie.hasSuffix("; Path=\(library.root)/; HttpOnly; SameSite=Strict"))
    for secret in [String(library.root.dropFirst()), String(library.cookie.dropFirst(8))] {
      #expect(secret.utf8.count == 64 && !library.address.contains(secret))
    }
    let home = try library.get("/")
    #expect(home.status == 200 && home.page.contains("The First Snow"))
    for (name, value) in [
      ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin"),
      ("Cache-Control", "no-store"), ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
      (
        "Content-Security-Policy",
        "default-src 'none'; style-src 'self'; img-src 'self'; media-src 'self'; "
          + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
      ),
    ] {
      #expect(home.headers[name] == value)
    }
  }

  struct Stranger: Sendable, CustomTestStringConvertible {
    var name: String
    /// The path, in which ROOT is that of all pages.
    var path = "ROOT/"
    var headers: [String: String] = [:]
    var hasCookie = true
    var status: Int
    var testDescription: String { name }
  }

  @Test(arguments: [
    Stranger(name: "no cookie", hasCookie: false, status: 403),
    Stranger(
      name: "no cookie, a story", path: "ROOT/stories/2026/first-snow", hasCookie: false,
      status: 403),
    Stranger(name: "a cookie without the path", path: "/", status: 403),
    Stranger(
      name: "a cookie without the path, a story", path: "/stories/2026/first-snow", status: 403),
    Stranger(
      name: "a wrong path", path: "/" + String(repeating: "0", count: 64) + "/", status: 403),
    Stranger(name: "the path without its end", path: "ROOT", status: 403),
    Stranger(name: "a wrong token", path: "/?token=1234", hasCookie: false, status: 403),
    Stranger(name: "a wrong token below", path: "ROOT/?token=1", hasCookie: false, status: 403),
    Stranger(
      name: "an empty cookie", headers: ["Cookie": "stories="], hasCookie: false, status: 403),
    Stranger(name: "a name that leads here", headers: ["Host": "evil.example:PORT"], status: 421),
    Stranger(name: "another port", headers: ["Host": "127.0.0.1:1"], status: 421),
    Stranger(name: "no port", headers: ["Host": "127.0.0.1"], status: 421),
    Stranger(name: "localhost", headers: ["Host": "localhost:PORT"], status: 200),
    Stranger(name: "another loopback name", headers: ["Host": "127.0.0.2:PORT"], status: 421),
    Stranger(name: "the style needs no cookie", path: "/style.css", hasCookie: false, status: 200),
    Stranger(
      name: "the style needs the name", path: "/style.css", headers: ["Host": "evil.example"],
      hasCookie: false, status: 421),
  ])
  func `only the right name and cookie get in`(_ stranger: Stranger) throws {
    var headers: HTTPHeaders = [:]
    if stranger.hasCookie { headers["Cookie"] = library.cookie }
    for (name, value) in stranger.headers {
      headers[name] = value.replacing("PORT", with: "\(library.port)")
    }
    let path = stranger.path.replacing("ROOT", with: library.root)
    let answer = try library.send(.get, path, headers)
    #expect(answer.status == stranger.status)
    if stranger.status != 200 {
      #expect(!answer.page.contains(library.root))
      #expect(!answer.page.contains("First Snow") && !answer.page.contains("Luna"))
      #expect(answer.headers["Content-Security-Policy"] != nil)
    }
    if stranger.status == 403 { #expect(answer.page.contains("stories browse")) }
  }

  struct Write: Sendable, CustomTestStringConvertible {
    var name: String
    var path = "/favorite/2026/first-snow"
    var fields = "favorite=yes&token=TOKEN"
    /// An empty value removes a field.
    var headers: [String: String] = [:]
    var status: Int
    var testDescription: String { name }
  }

  @Test(arguments: [
    Write(name: "a form of our own", status: 303),
    Write(
      name: "without Origin, but from our own page",
      headers: ["Origin": "", "Sec-Fetch-Site": "same-origin"], status: 303),
    Write(name: "from another page", headers: ["Origin": "http://evil.example"], status: 403),
    Write(name: "from another port", headers: ["Origin": "http://127.0.0.1:1"], status: 403),
    Write(
      name: "from the other name of this machine",
      headers: ["Origin": "http://localhost:PORT"], status: 403),
    Write(name: "from nowhere", headers: ["Origin": "null"], status: 403),
    Write(name: "without Origin", headers: ["Origin": ""], status: 403),
    Write(
      name: "without Origin, from another site",
      headers: ["Origin": "", "Sec-Fetch-Site": "cross-site"], status: 403),
    Write(name: "without the form's token", fields: "favorite=yes", status: 403),
    Write(name: "with a wrong token", fields: "favorite=yes&token=0-1", status: 403),
    Write(name: "without a cookie", headers: ["Cookie": ""], status: 403),
    Write(name: "not a form", headers: ["Content-Type": "text/plain"], status: 415),
    Write(name: "a form without a value", fields: "token=TOKEN", status: 404),
    Write(name: "a story that is missing", path: "/favorite/none", status: 404),
    Write(name: "a page, not a form", path: "/stories/2026/first-snow", status: 405),
    Write(
      name: "more than a form can have",
      fields: String(repeating: "a", count: BrowseSite.longestForm + 1), status: 413),
  ])
  func `only a form of our own pages changes something`(_ write: Write) throws {
    let old = try sample.folder.read(Self.record)
    let token = try library.formToken(Self.snow)
    var headers: HTTPHeaders = [:]
    for (name, value) in write.headers {
      headers[name] = value.replacing("PORT", with: "\(library.port)")
    }
    let answer = try library.post(
      write.path, write.fields.replacing("TOKEN", with: token), headers)
    #expect(answer.status == write.status)
    let isChanged = try sample.folder.read(Self.record) != old
    #expect(isChanged == (write.status == 303))
  }

  @Test func `other methods do nothing`() throws {
    for method in [HTTPMethod.put, .delete, .patch] {
      let answer = try library.send(
        method, library.root + Self.snow, ["Cookie": library.cookie, "Origin": library.origin])
      #expect(answer.status == 405)
      #expect(answer.headers["Allow"] == "GET, HEAD, POST")
    }
    let head = try library.send(.head, library.root + "/", ["Cookie": library.cookie])
    #expect(head.status == 200 && head.body.isEmpty)
  }

  @Test(arguments: [
    "/../library.json", "/stories/../library.json", "/stories/%2e%2e/library", "/media/../index",
    "/media/%2e%2e%2f%2e%2e%2flibrary.json", "/stories/2026%2Ffirst-snow%00", "/heroes/.sync/luna",
    "/stories/.sync/x", "/style.css/x", "//stories", "/stories/", "/library.json", "/media",
    "/stories?page=2", "/stories?page=0", "/stories?page=x1&page=2",
  ])
  func `no other address leads anywhere`(_ path: String) throws {
    let answer = try library.get(path)
    #expect(answer.status == (path.contains("x1") ? 200 : 404))
    #expect(!answer.page.contains("\"version\""))
  }

  @Test func `it says where it listens, and ends with Ctrl-C`() throws {
    let folder = try SampleLibrary().folder
    let program = try BuiltProgram(in: folder)
    let running = try program.start(["browse", "--no-open", "--json"])
    let said = try #require(running.firstLine())
    let report = try JSONValue(parsing: Array(said.utf8))
    let port = try #require(report["port"]?.integer)
    #expect(
      report["url"]?.string?.wholeMatch(of: /http:\/\/127\.0\.0\.1:([0-9]+)\/\?token=[0-9a-f]{64}/)
        .map { Int($0.output.1) } == port)
    let taken = try program.run("browse", "--no-open", "--port", "\(port)")
    #expect(taken.code == 1 && taken.errors.contains("port \(port)"), "\(taken.errors)")
    running.signal(SIGINT)
    let result = running.wait()
    #expect(result.code == 0 && result.output == said + "\n", "\(result.errors)")
  }

  /// The browser gets the address, and that it fails or hangs is nobody's error.
  @Test(arguments: ["echo \"$1\" > opened", "exit 3", "exec sleep 20"])
  func `the browser is opened`(_ script: String) throws {
    let folder = try SampleLibrary().folder
    try folder.write("#!/bin/sh\n\(script)\n", to: "bin/xdg-open")
    try folder.setMode("bin/xdg-open", 0o755)
    let opened = try BrowsedLibrary(folder, words: []) {
      $0.environment["PATH"] = folder.path("bin") + ":/usr/bin:/bin"
    }
    #expect(try opened.get("/").status == 200)
    if script.hasPrefix("echo") {
      let deadline = Date(timeIntervalSinceNow: 20)
      while (try? folder.read("opened"))?.hasSuffix("\n") != true, Date() < deadline {
        _ = try opened.get("/")
      }
      // It is in the list of processes as long as the browser runs: it works only once.
      let once = try folder.read("opened").trimmingCharacters(in: .newlines)
      #expect(once != opened.address && once.hasPrefix(opened.origin + "/?token="))
      let path = String(once.dropFirst(opened.origin.count))
      let first = try opened.send(.get, path)
      #expect(first.status == 303 && first.headers["Location"] == opened.root + "/")
      let second = try opened.send(.get, path)
      #expect(second.status == 403 && second.headers["Set-Cookie"] == nil)
      #expect(second.page.contains("Open the one that <code>stories browse</code> printed"))
      let printed = String(opened.address.dropFirst(opened.origin.count))
      #expect(try opened.send(.get, printed).status == 303)
    }
    opened.running.signal(SIGINT)
    #expect(opened.running.wait().code == 0)
  }

  /// The command may have ended and begun again while somebody typed.
  @Test func `a text for pages of an earlier run is on the page that refuses it`() throws {
    let browsed = try BrowsedLibrary(SampleLibrary().folder)
    let long = String(repeating: "%E2%9D%84", count: 20_000)
    func send(from origin: String) throws -> HTTPResponse {
      try browsed.send(
        .post, "/\(String(repeating: "0", count: 64))/conflicts/stories/first-snow",
        ["Origin": origin, "Content-Type": "application/x-www-form-urlencoded"],
        body: "choice.title=edit&text.title=Our+%3Cb%3ESnow\(long)&token=0-1")
    }
    let own = try send(from: browsed.origin)
    #expect(own.status == 403 && own.page.contains("Our &lt;b&gt;Snow"), "\(own.page)")
    let foreign = try send(from: "http://127.0.0.1:1")
    #expect(foreign.status == 403 && !foreign.page.contains("Snow"))
  }

  @Test func `a browser that writes goes on after the command has ended`() throws {
    let folder = try SampleLibrary().folder
    let script = """
      #!/bin/sh
      echo $$ > started
      for i in $(seq 600); do [ -e ended ] && break; sleep 0.05; done
      echo hello && echo hello >&2 && echo still here > survived
      """
    try folder.write(script + "\n", to: "bin/xdg-open")
    try folder.setMode("bin/xdg-open", 0o755)
    let opened = try BrowsedLibrary(folder, words: []) {
      $0.environment["PATH"] = folder.path("bin") + ":/usr/bin:/bin"
    }
    func wait(for file: String) {
      waitUntil { (try? folder.read(file))?.hasSuffix("\n") == true }
    }
    wait(for: "started")
    opened.running.signal(SIGINT)
    #expect(opened.running.wait().code == 0)
    try folder.write("", to: "ended")
    wait(for: "survived")
    #expect(folder.exists("survived"))
  }

  @Test func `a folder without a library is refused`() throws {
    let folder = try TemporaryFolder()
    let result = try BuiltProgram(in: folder).run("browse", "--no-open")
    #expect(result.code == 2 && result.errors.contains("no library here"))
  }
}
