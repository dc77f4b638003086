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
    for place in 1...200 {
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
    #expect(report.created.count == 200 && report.failed.isEmpty)
    #expect(most.value == 1)
  }
}
