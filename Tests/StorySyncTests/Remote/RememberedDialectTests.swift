import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// A listing starts with what the server was found to speak before.
@Suite(.inTurn) struct RememberedDialectTests {
  @Test func `a server that speaks another dialect by now is found out`() async throws {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    try a.edit("heroes/luna.json", "\"age\": 7", "\"age\": 8")
    let transport = AlteredTransport(noting: world.transport)
    var configuration = ClientConfiguration(dialect: nil, time: .unwaiting)
    let kept = Box<Dialect?>(nil)
    configuration.dialectMemory = DialectMemory(
      recall: { .kinto }, keep: { dialect in kept.change { $0 = dialect } })
    let client = APIClient(
      server: try ServerAddress(world.server.url), transport: transport,
      configuration: configuration,
      session: Session(token: Secret(try world.server.issueToken(email: TestWorld.account).token)))
    let connection = Connection(client: client, identity: world.identity)
    let report = try await Synchronizer(library: a.library) { _ in connection }.run(SyncOptions())
    #expect(report.error == nil && report.stops.isEmpty)
    #expect(report.updated.map(\.ref) == [RecordRef("heroes/luna")])
    #expect(kept.value == .v0)
    let lines = transport.lines
    #expect(lines.first?.contains("/v1/buckets/default/collections/heroes/records") == true)
    #expect(lines.contains { $0.contains("/api/health") })
  }

  /// A server in front of which `/v1` is refused, with an equal hero: taken for a Kinto whose bucket
  /// does not exist yet, it would get the hero a second time.
  @Test func `a first push asks what the server is before it believes that nothing is there`()
    async throws
  {
    let world = try TestWorld()
    let a = try await Samples.synced(world)
    let b = try world.library("b")
    try b.write("heroes/luna.json", a.read("heroes/luna.json"))
    let transport = AlteredTransport(world.transport) {
      (request, _, send) throws(TransportError) in
      guard request.url.contains("/v1/") else { return try await send(request) }
      return HTTPResponse(
        status: 403, body: Array(#"{"code":403,"errno":121,"error":"Forbidden"}"#.utf8))
    }
    var configuration = ClientConfiguration(dialect: nil, time: .unwaiting)
    configuration.dialectMemory = DialectMemory(recall: { .kinto }, keep: { _ in })
    let client = APIClient(
      server: try ServerAddress(world.server.url), transport: transport,
      configuration: configuration,
      session: Session(token: Secret(try world.server.issueToken(email: TestWorld.account).token)))
    let connection = Connection(client: client, identity: world.identity)
    var options = SyncOptions()
    options.direction = .push
    let report = try await Synchronizer(library: b.library) { _ in connection }.run(options)
    #expect(report.error == nil && report.created.isEmpty)
    #expect(report.adopted == [RecordRef("heroes/luna")])
    #expect(try world.records(.heroes).count == 1)
  }
}
