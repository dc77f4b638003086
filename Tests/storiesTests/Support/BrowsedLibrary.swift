import Foundation
import StoryAPI
import StoryLibrary
import TestSupport

@testable import stories

/// `stories browse`, the built program, in a library, and a client of its pages.
final class BrowsedLibrary: Sendable {
  let folder: TemporaryFolder
  let running: RunningProgram
  /// The printed address.
  let address: String
  let port: Int
  /// The cookie that the token was exchanged for.
  let cookie: String
  /// The start of the paths of all pages, without a slash at its end.
  let root: String

  struct NoAddress: Error { var said: String }

  /// Opens a folder with a library.
  init(
    _ folder: TemporaryFolder, words: [String] = ["--no-open"],
    _ change: (inout BuiltProgram) -> Void = { _ in }
  ) throws {
    var program = try BuiltProgram(in: folder)
    change(&program)
    self.folder = folder
    running = try program.start(["browse"] + words)
    guard let address = running.firstLine(), let port = URL(string: address)?.port else {
      running.signal(SIGTERM)
      throw NoAddress(said: running.wait().errors)
    }
    self.address = address
    self.port = port
    let entry = try SocketTransport(port: port).answer(to: HTTPRequest(method: .get, url: address))
    cookie = String((entry.headers["Set-Cookie"] ?? "").prefix { $0 != ";" })
    root = String((entry.headers["Location"] ?? "").dropLast())
  }

  deinit {
    running.signal(SIGTERM)
    _ = running.wait()
  }

  var origin: String { "http://127.0.0.1:\(port)" }

  /// Sends a request without a cookie.
  func send(
    _ method: HTTPMethod, _ path: String, _ headers: HTTPHeaders = [:], body: String = ""
  ) throws -> HTTPResponse {
    // A kept connection may have been closed after a long time without requests.
    try SocketTransport(port: port).answer(
      to: HTTPRequest(
        method: method, url: origin + path, headers: headers, body: Array(body.utf8)))
  }

  /// Gets a page.
  func get(_ path: String, _ headers: HTTPHeaders = [:]) throws -> HTTPResponse {
    var headers = headers
    headers["Cookie"] = cookie
    return try send(.get, root + path, headers)
  }

  /// Gets the text of a page, with the paths of links without their start.
  func text(_ path: String) throws -> String { short(try get(path).page) }

  /// Returns a text with the paths in it without their start.
  func short(_ text: String) -> String {
    root.isEmpty ? text : text.replacing(root + "/", with: "/")
  }

  /// The token in the forms of a page.
  func formToken(_ page: String) throws -> String {
    let text = try text(page)
    return text.firstMatch(of: /name="token" value="([^"]*)"/).map { String($0.output.1) } ?? ""
  }

  /// Sends a form of our pages as a browser does, unless header fields say otherwise.
  func post(
    _ path: String, _ fields: String, _ headers: HTTPHeaders = [:]
  ) throws -> HTTPResponse {
    var all: HTTPHeaders = [
      "Cookie": cookie, "Origin": origin, "Content-Type": "application/x-www-form-urlencoded",
    ]
    for field in headers.fields { all[field.name] = field.value.isEmpty ? nil : field.value }
    return try send(.post, root + path, all, body: fields)
  }
}

extension HTTPResponse {
  /// The body as text.
  var page: String { String(decoding: body, as: UTF8.self) }
}
