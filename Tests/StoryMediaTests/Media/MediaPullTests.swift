import JSONText
import StoryAPI
import StoryLibrary
import StoryMedia
import StorySync
@testable import StorySyncTests
import Synchronization
import TestSupport
import Testing

@Suite(.inTurn) struct MediaPullTests {
  private typealias Reply = ScriptedServer.Reply
  private let picture = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }

  private static func hero(_ url: String) -> Reply {
    .answer(
      200,
      #"{"data":{"id":"h1","name":"Luna","age":7,"traits":["brave"],"avatarUrl":"\#(url)","updatedAt":"2026-11-20T10:00:00.000Z"}}"#
    )
  }

  private static func file(_ bytes: [UInt8], tag: String = "\"v1\"") -> Reply {
    .answer(200, bytes: bytes, headers: ["Content-Type": "image/png", "ETag": tag])
  }

  private func pull(_ world: ScriptedLibrary, _ refs: [RecordRef]? = nil) async throws
    -> MediaReport
  {
    try await world.repositories().media.pull(refs)
  }

  @Test func `an avatar comes to its place, once`() async throws {
    let world = try ScriptedLibrary { [picture] request, _ in
      request.target.hasPrefix("/media") ? Self.file(picture) : Self.hero("/media/..%2Fx.exe?sig=1")
    }
    try world.addLuna(avatar: "/media/..%2Fx.exe")
    let report = try await pull(world)
    #expect(report.failed.isEmpty && report.fetched.count == 1)
    let file = try #require(report.fetched.first?.file)
    // Nothing of the URL is in the name.
    #expect(file.path.hasPrefix(".stories/media/avatars/luna.h1."))
    #expect(file.path.hasSuffix(".png"))
    #expect(try FileSystem.read(world.path(file.path)) == picture)
    #expect(try FileSystem.status(world.path(file.path))?.mode == 0o600)
    #expect(world.server.requests.last?.headers["accept-encoding"] == "identity")
    let count = world.server.requests.count
    let again = try await pull(world)
    #expect(again.fetched.isEmpty && again.present.count == 1)
    #expect(world.server.requests.count == count)
    #expect(try world.media() == [String(file.path.dropFirst(".stories/media/".count))])
  }

  /// Answers a part of the file and breaks off, then whatever is asked for.
  ///
  /// - Parameter ignoresIfRange: whether the part is of the second version whatever `If-Range` says.
  private func cutting(
    at size: Int, tag: String = "\"v1\"", second: String = "\"v1\"", ignoresIfRange: Bool = false
  ) -> @Sendable (ScriptedServer.Request, Int) -> Reply {
    let picture = picture
    let cuts = Box(0)
    return { request, _ in
      guard request.target.hasPrefix("/media") else { return Self.hero("/media/a.png") }
      cuts.value += 1
      if cuts.value == 1 {
        let head =
          "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nETag: \(tag)\r\n"
          + "Content-Length: \(picture.count)\r\n\r\n"
        return .bytes(Array(head.utf8) + picture[..<size], closes: true)
      }
      guard ignoresIfRange || request.headers["if-range"] == second,
        let range = request.headers["range"],
        let start = Int(range.dropFirst("bytes=".count).dropLast())
      else { return Self.file(picture.map { $0 ^ 1 }, tag: second) }
      return .answer(
        206, bytes: Array(picture[start...]),
        headers: [
          "Content-Type": "image/png", "ETag": second,
          "Content-Range": "bytes \(start)-\(picture.count - 1)/\(picture.count)",
        ])
    }
  }

  @Test func `a cut download goes on where it broke`() async throws {
    let world = try ScriptedLibrary(cutting(at: 40_000))
    try world.addLuna(avatar: "/media/a.png")
    let report = try await pull(world)
    #expect(report.failed.isEmpty)
    let file = try #require(report.fetched.first?.file)
    #expect(try FileSystem.read(world.path(file.path)) == picture)
    let asked = world.server.requests.filter { $0.target.hasPrefix("/media") }
    #expect(asked.map { $0.headers["range"] } == [nil, "bytes=40000-"])
    #expect(asked.last?.headers["if-range"] == "\"v1\"")
    #expect(try world.media("partial").isEmpty)
  }

  @Test func `the next run goes on where this one broke`() async throws {
    let world = try ScriptedLibrary(retries: .never, cutting(at: 40_000))
    try world.addLuna(avatar: "/media/a.png")
    let first = try await pull(world)
    #expect(first.failed.map { $0.error as? APIError } == [.network(.truncated)])
    #expect(try world.media("avatars").isEmpty)
    #expect(try world.media("partial").count == 2)
    let second = try await pull(world)
    let file = try #require(second.fetched.first?.file)
    #expect(try FileSystem.read(world.path(file.path)) == picture)
    #expect(world.server.requests.last?.headers["range"] == "bytes=40000-")
  }

  @Test func `a file that changed meanwhile comes whole`() async throws {
    let world = try ScriptedLibrary(cutting(at: 40_000, tag: "\"v1\"", second: "\"v2\""))
    try world.addLuna(avatar: "/media/a.png")
    let report = try await pull(world)
    let file = try #require(report.fetched.first?.file)
    #expect(try FileSystem.read(world.path(file.path)) == picture.map { $0 ^ 1 })
  }

  @Test func `a part of another version is not joined to the one here`() async throws {
    let world = try ScriptedLibrary(
      cutting(at: 40_000, tag: "\"v1\"", second: "\"v2\"", ignoresIfRange: true))
    try world.addLuna(avatar: "/media/a.png")
    let failure = try #require(try await pull(world).failed.first?.error as? MediaFailure)
    #expect(failure == .wrongAnswer("a part of another version of the file"))
    #expect(try world.media("avatars").isEmpty && world.media("partial").isEmpty)
    let again = try await pull(world)
    let file = try #require(again.fetched.first?.file)
    #expect(try FileSystem.read(world.path(file.path)) == picture.map { $0 ^ 1 })
  }

  @Test func `a weak tag says nothing about bytes, so it begins anew`() async throws {
    let world = try ScriptedLibrary(cutting(at: 40_000, tag: "W/\"v1\"", second: "\"v2\""))
    try world.addLuna(avatar: "/media/a.png")
    _ = try await pull(world)
    #expect(world.server.requests.last?.headers["range"] == nil)
  }

  /// Numbers near the largest one, of which Foundation lets through those below 2^63 − 512.
  @Test(
    arguments: [
      "9223372036854774784", "-1", "9223372036854775807", "18446744073709551616",
    ], ["Content-Length", "Content-Range"])
  func `lengths beyond all numbers are an error`(_ number: String, _ field: String) async throws {
    let big = field == "Content-Length" ? number : "100"
    guard Double(big).map({ $0 < 9.2233720368547748e18 }) ?? false else { return }
    let range = field == "Content-Range" ? "\(number)" : "*"
    let world = try ScriptedLibrary(retries: .never) { [picture] request, _ in
      guard request.target.hasPrefix("/media") else { return Self.hero("/media/a.png") }
      let head =
        request.headers["range"] == nil
        ? "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Type: image/png\r\n"
          + "Content-Length: 100000\r\n\r\n"
        : "HTTP/1.1 206 Partial\r\nETag: \"v1\"\r\nContent-Type: image/png\r\n"
          + "Content-Range: bytes 40000-99999/\(range)\r\nContent-Length: \(big)\r\n\r\n"
      return .bytes(Array(head.utf8) + picture[..<40_000], closes: true)
    }
    try world.addLuna(avatar: "/media/a.png")
    for _ in 1...3 {
      let report = try await pull(world)
      #expect(report.fetched.isEmpty && report.failed.count == 1)
    }
  }

  @Test(arguments: [401, 403, 410, 404])
  func `an address that expired is asked for anew`(_ status: Int) async throws {
    let signatures = Box(0)
    let world = try ScriptedLibrary { [picture] request, _ in
      switch request.target {
      case "/media/a.png?sig=2": return Self.file(picture)
      case let target where target.hasPrefix("/media"): return .answer(status, "expired")
      default:
        signatures.value += 1
        return Self.hero("/media/a.png?sig=\(signatures.value)")
      }
    }
    try world.addLuna(avatar: "/media/a.png")
    let report = try await pull(world)
    #expect(report.failed.isEmpty && report.fetched.count == 1)
    #expect(signatures.value == 2)
  }

  @Test func `an address that never serves is told`() async throws {
    let world = try ScriptedLibrary { request, _ in
      request.target.hasPrefix("/media") ? .answer(403, "no") : Self.hero("/media/a.png")
    }
    try world.addLuna(avatar: "/media/a.png")
    #expect(try await pull(world).failed.map { $0.error as? MediaFailure } == [.refused])
  }

  @Test(arguments: ["http://127.0.0.1:1/a.png", "file:///etc/passwd", "ftp://a.example/a.png"])
  func `nothing is fetched from elsewhere in the clear`(_ url: String) async throws {
    let world = try ScriptedLibrary { _, _ in Self.hero(url) }
    try world.addLuna(avatar: url)
    #expect(try await pull(world).failed.map { $0.error as? MediaFailure } == [.noAddress])
    #expect(world.server.requests.map(\.target) == ["/api/heroes/h1"])
  }

  @Test func `a redirect to another origin in the clear is not followed`() async throws {
    let other = try ScriptedServer { _, _ in Self.file([1]) }
    let target = other.url
    let world = try ScriptedLibrary(retries: .never) { request, _ in
      request.target.hasPrefix("/media")
        ? .answer(302, headers: ["Location": target + "/a"]) : Self.hero("/media/a.png")
    }
    try world.addLuna(avatar: "/media/a.png")
    let errors = try await pull(world).failed.map { $0.error as? APIError }
    #expect(errors == [.network(.redirectRefused(target: target))])
    #expect(other.requests.isEmpty)
  }

  @Test(
    arguments: [
      ("<html>", "text/html; charset=utf-8", .wrongType("text/html; charset=utf-8")),
      ("", "image/png", .wrongAnswer("an empty file")),
    ] as [(String, String, MediaFailure)])
  func `what cannot be a picture is no picture`(
    _ body: String, _ type: String, _ expected: MediaFailure
  ) async throws {
    let world = try ScriptedLibrary { request, _ in
      request.target.hasPrefix("/media")
        ? .answer(200, body, headers: ["Content-Type": type]) : Self.hero("/media/a.png")
    }
    try world.addLuna(avatar: "/media/a.png")
    let failure = try #require(try await pull(world).failed.first?.error as? MediaFailure)
    #expect(failure == expected)
    #expect(try world.media().isEmpty)
  }

  @Test func `another picture takes the place of the old one`() async throws {
    let url = Box("/media/a.png")
    let world = try ScriptedLibrary { request, _ in
      request.target.hasPrefix("/media") ? Self.file([1, 2]) : Self.hero(url.value)
    }
    try world.addLuna(avatar: "/media/a.png")
    _ = try await pull(world)
    let old = try world.media()
    url.value = "/media/b.png"
    try world.addLuna(avatar: "/media/b.png")
    _ = try await pull(world)
    let new = try world.media()
    #expect(new.count == 1 && new != old)
  }

  @Test func `the pictures of a story are asked for once and at most four come at a time`()
    async throws
  {
    let now = Box(0)
    let most = Box(0)
    let pictures = (1...9).map {
      #"{"id":"p\#($0)","storyId":"s1","displayOrder":\#($0),"imageUrl":"/media/\#($0).png?sig=1","sceneDescription":"Scene \#($0)","generationStatus":"completed","audioTimestamp":\#($0).5,"updatedAt":"2026-11-20T10:00:00.000Z"}"#
    }.joined(separator: ",")
    let world = try ScriptedLibrary { request, _ in
      guard request.target.hasPrefix("/media") else {
        return .answer(200, #"{"data":[\#(pictures)]}"#)
      }
      now.value += 1
      most.value = max(most.value, now.value)
      defer { now.value -= 1 }
      return Self.file(Array(request.target.utf8))
    }
    try world.addLuna()
    try world.addSnow(["illustrationStatus": "completed", "illustrationCount": 9])
    let report = try await pull(world, [RecordRef(kind: .stories, name: "snow")])
    #expect(report.fetched.count == 9 && report.failed.isEmpty)
    #expect(most.value <= 4)
    #expect(
      try world.media("illustrations/snow").first?.hasPrefix("illustrations/snow/01.p1.") == true)
    // Once for the records and once for the addresses.
    #expect(
      world.server.requests.filter { $0.target == "/api/stories/s1/illustrations" }.count == 2)
    let record = try JSONValue(parsing: FileSystem.read(world.path("illustrations/snow/01.json")))
    #expect(
      record.compactText == #"{"scene":"Scene 1","order":1,"status":"completed","time":1.5}"#)
  }
}
