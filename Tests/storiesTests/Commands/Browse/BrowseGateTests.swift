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
    #expect(entry.headers["Location"] == "/")
    let cookie = try #require(entry.headers["Set-Cookie"])
    #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
    #expect(!library.address.contains(library.cookie.split(separator: "=")[1]))
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
    var path = "/"
    var headers: [String: String] = [:]
    var hasCookie = true
    var status: Int
    var testDescription: String { name }
  }

  @Test(arguments: [
    Stranger(name: "no cookie", hasCookie: false, status: 403),
    Stranger(
      name: "no cookie, a story", path: "/stories/2026/first-snow", hasCookie: false, status: 403),
    Stranger(name: "a wrong token", path: "/?token=1234", hasCookie: false, status: 403),
    Stranger(
      name: "an empty cookie", headers: ["Cookie": "stories-PORT="], hasCookie: false, status: 403),
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
    let answer = try library.send(.get, stranger.path, headers)
    #expect(answer.status == stranger.status)
    if stranger.status != 200 {
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
      name: "more than a form can have", fields: String(repeating: "a", count: 9 << 20), status: 413
    ),
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

  @Test func `addresses of forms are not pages, and other methods do nothing`() throws {
    for path in ["/favorite/2026/first-snow", "/read/2026/first-snow"] {
      let answer = try library.get(path)
      #expect(answer.status == 405 && answer.headers["Allow"] == "POST")
    }
    for method in [HTTPMethod.put, .delete, .patch] {
      let answer = try library.send(
        method, Self.snow, ["Cookie": library.cookie, "Origin": library.origin])
      #expect(answer.status == 405)
      #expect(answer.headers["Allow"] == "GET, HEAD, POST")
    }
    let head = try library.send(.head, "/", ["Cookie": library.cookie])
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
      #expect(try folder.read("opened") == opened.address + "\n")
    }
    opened.running.signal(SIGINT)
    #expect(opened.running.wait().code == 0)
  }

  @Test func `a folder without a library is refused`() throws {
    let folder = try TemporaryFolder()
    let result = try BuiltProgram(in: folder).run("browse", "--no-open")
    #expect(result.code == 2 && result.errors.contains("no library here"))
  }
}
