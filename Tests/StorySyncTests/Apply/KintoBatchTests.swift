import StoryAPI
import StoryLibrary
import TestSupport
import Testing

@testable import StorySync

/// How a push spreads its writes over requests to a Kinto.
@Suite(.inTurn, .withKinto) struct KintoBatchTests {
  @Test(arguments: [KintoServer.Variant.plain, .single])
  func `one request with writes is under way at a time`(
    _ variant: KintoServer.Variant
  ) async throws {
    let world = try TestWorld(.kinto, nodes: [KintoServer.shared(variant)])
    let a = try world.library("a")
    for place in 1...60 {
      try a.write(
        "heroes/h-\(place).json",
        "{\n  \"name\": \"Hero \(place)\",\n  \"age\": 7,\n  \"traits\": [\"brave\"]\n}\n")
    }
    let (open, most) = (Box(0), Box(0))
    let transport = AlteredTransport(world.transport) {
      (request, _, send) throws(TransportError) in
      guard request.method != .get else { return try await send(request) }
      open.change { $0 += 1 }
      most.change { [now = open.value] in $0 = max($0, now) }
      defer { open.change { $0 -= 1 } }
      return try await send(request)
    }
    let report = try await a.attempt(.push, transport: transport)
    #expect(report.created.count == 60 && report.failed.isEmpty)
    #expect(most.value == 1)
  }

  /// As a Kinto on PostgreSQL answers a text with U+0000; such a batch is undone as a whole.
  @Test func `a record that the server cannot store stops no other`() async throws {
    let world = try TestWorld(.kinto)
    let a = try world.library("a")
    func write(_ name: String, _ trait: String) throws {
      try a.write(
        "heroes/\(name).json",
        "{\n  \"name\": \"\(name)\",\n  \"age\": 7,\n  \"traits\": [\"\(trait)\"]\n}\n")
    }
    for name in ["ann", "ben", "cas", "dan"] {
      try write(name, name == "ben" ? "poison" : "brave")
    }
    let isDown = Box(false)
    let transport = AlteredTransport(world.transport) { (request, _, send) throws(TransportError) in
      let text = String(decoding: request.body, as: UTF8.self)
      let fails = isDown.value ? text.contains("brave") : text.contains("poison")
      guard request.method == .post, fails else { return try await send(request) }
      return HTTPResponse(status: 500)
    }
    for count in [3, 0] {
      let report = try await a.attempt(transport: transport)
      // Alone in the second run, it fails in the same way.
      #expect(report.error == nil && report.created.count == count)
      #expect(report.failed.map(\.ref) == [RecordRef("heroes/ben")])
      #expect(try Journal(a.library).unfinished.isEmpty)
    }
    try write("ben", "kind")
    #expect(try await a.attempt(transport: transport).created == [RecordRef("heroes/ben")])
    isDown.value = true
    for place in 1...20 { try write("hero-\(place)", "brave") }
    let report = try await a.attempt(transport: transport)
    guard case .server(status: 500, _)? = report.error else { throw Unexpected("no outage") }
    #expect(report.failed.isEmpty && report.created.isEmpty)
  }
}
