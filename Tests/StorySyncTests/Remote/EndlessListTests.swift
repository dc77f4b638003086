import StoryAPI
import StoryLibrary
import StorySync
import TestSupport
import Testing

/// A server whose list has no end, whatever total it tells: each page is another one.
@Suite(.inTurn) struct EndlessListTests {
  private static let limits = #""limits":{"page":100,"batch":100}"#

  /// A row of the list.
  private static func row(_ kind: String, _ number: Int, name: String = "xxxxx") -> String {
    switch kind {
    case "records":
      return #"{"id":"h\#(number)","name":"\#(name)","age":7,"traits":["brave"],"#
        + #""updatedAt":"2026-11-20T10:00:00.000Z"}"#
    case "tombstones":
      return #"{"id":"h\#(number)","deleted":true,"updatedAt":"2026-11-20T10:00:00.000Z"}"#
    case "rows without id": return #"{"number":\#(number)}"#
    default: return #"{"id":"h\#(number)"}"#
    }
  }

  /// A server with a list of `pages` pages of 100 rows.
  private func world(
    _ features: String, _ kind: String, total: Int, pages: Int
  ) throws -> ScriptedLibrary {
    try ScriptedLibrary { request, number in
      guard request.target.hasPrefix("/api/heroes") else {
        return request.target == "/api/health"
          ? .answer(
            200, #"{"data":{"status":"healthy","features":[\#(features)],\#(Self.limits)}}"#)
          : .answer(200, #"{"data":[],"pagination":{"total":0,"hasMore":false}}"#)
      }
      // A server without a cursor repeats the last row of the page before.
      let first = number * 99
      let rows = (0..<100).map { Self.row(kind, first + $0) }.joined(separator: ",")
      let next = features.isEmpty ? "" : #","next":"\#(number)""#
      return .answer(
        200,
        #"{"data":[\#(rows)],"pagination":{"total":\#(total),"hasMore":\#(number < pages)\#(next)}}"#
      )
    }
  }

  private func error(of world: ScriptedLibrary) async throws -> APIError? {
    let synchronizer = Synchronizer(library: try world.library) { [world] _ in
      Connection(
        client: try world.client(), identity: .init(server: world.server.url, account: "u"))
    }
    let report = try await synchronizer.run(SyncOptions())
    #expect(!FileSystem.exists(world.path("heroes/xxxxx.json")))
    return report.error
  }

  @Test(
    arguments: ["", #""cursor","tombstones""#], ["records", "rows without id", "bad rows"])
  func `ends where more comes than the total`(_ features: String, _ kind: String) async throws {
    let world = try world(features, kind, total: 150, pages: 60)
    #expect(try await error(of: world) == .list(.heroes, .overfull))
    #expect(world.server.requests.count < 10)
  }

  @Test func `ends where too many rows cannot be read, whatever the total`() async throws {
    let world = try world("", "rows without id", total: 1 << 60, pages: 400)
    #expect(try await error(of: world) == .list(.heroes, .overfull))
    #expect(world.server.requests.count < 120)
    // Nothing was asked once the list was known to be of no use.
    #expect(world.server.requests.last?.target.hasPrefix("/api/heroes") == true)
  }

  @Test func `a page that is too large comes in smaller ones`() async throws {
    // Thirteen records of 1 MiB are more than an answer may have.
    let (count, name) = (13, String(repeating: "x", count: 1 << 20))
    let world = try ScriptedLibrary { request, _ in
      guard request.target.hasPrefix("/api/heroes") else {
        return request.target == "/api/health"
          ? .answer(200, #"{"data":{"status":"healthy","features":[],\#(Self.limits)}}"#)
          : .answer(200, #"{"data":[],"pagination":{"total":0,"hasMore":false}}"#)
      }
      func number(_ name: String) -> Int {
        let part = request.target.split(whereSeparator: { "?&".contains($0) }).first {
          $0.hasPrefix(name + "=")
        }
        return part.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
      }
      let first = number("offset")
      let end = min(first + number("limit"), count)
      let rows = (first..<max(first, end)).map { Self.row("records", $0, name: name) }
        .joined(separator: ",")
      return .answer(
        200,
        #"{"data":[\#(rows)],"pagination":{"total":\#(count),"hasMore":\#(end < count)}}"#)
    }
    let synchronizer = Synchronizer(library: try world.library) { [world] _ in
      Connection(
        client: try world.client(), identity: .init(server: world.server.url, account: "u"))
    }
    var options = SyncOptions()
    options.direction = .pull
    let report = try await synchronizer.run(options)
    #expect(report.error == nil)
    #expect(report.receivedNew.count == count)
  }
}
