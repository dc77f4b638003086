import Foundation
import StoryServer
import TestSupport
import Testing

/// Random histories of three libraries and a server of every kind.
///
/// `STORIES_TEST_SEED` repeats one history and prints what happens; `STORIES_TEST_HISTORIES` sets how
/// many are played. Each has its server and its ``ScanVariant`` by its seed.
@Suite(.firstInTurn) struct SyncMachineTests {
  static let steps = 60

  /// A history with a Kinto is shorter: there are as many of them as two cores play in some seconds.
  static let kintoSteps = 30

  struct Server {
    var name: String
    var kind = ContractServer.v0
    var features = Set(ServerFeature.allCases)
    /// Whether a key belongs to the request that it came in.
    var bindsKeys = false
  }

  static let servers: [Server] =
    [Server(name: "all")]
    + ServerFeature.allCases.map { feature in
      Server(
        name: "no \(feature.rawValue)",
        features: Set(ServerFeature.allCases).subtracting([feature]))
    } + [
      Server(name: "none", features: []), Server(name: "v1", kind: .v1, features: []),
      Server(name: "keys of one request", bindsKeys: true),
    ]

  /// Each kind of server in turn, and between them random ones.
  private static func server(_ seed: UInt64) -> Server {
    let place = Int(seed % UInt64(servers.count + 2))
    if place < servers.count { return servers[place] }
    var random = SeededGenerator(seed: seed)
    let features = ServerFeature.allCases.filter { _ in Bool.random(using: &random) }
    return Server(
      name: "only \(features.map(\.rawValue).joined(separator: ", "))", features: Set(features))
  }

  private static func setting(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  private static func seeds(_ usual: UInt64) -> [UInt64] {
    if let seed = setting("STORIES_TEST_SEED") { return [seed] }
    let count = setting("STORIES_TEST_HISTORIES") ?? usual
    let start = setting("STORIES_TEST_START") ?? 1
    return Array(start..<start + count)
  }

  @Test func nothingIsLostAndAllAgree() async throws {
    await Self.play(Self.seeds(70), Self.server)
  }

  /// Of two nodes each gets every other request.
  @Test(.withKinto, arguments: ContractServer.kintos)
  func nothingIsLostAndAllAgreeWithAKinto(_ server: ContractServer) async throws {
    await Self.play(Self.seeds(12)) { _ in
      Server(
        name: server.rawValue, kind: server, features: [.etag, .batch, .tombstones, .cursor])
    }
  }

  private static func play(
    _ seeds: [UInt64], _ server: @escaping @Sendable (UInt64) -> Server
  ) async {
    await withTaskGroup(of: Void.self) { group in
      var next = 0
      func start() {
        guard next < seeds.count else { return }
        let seed = seeds[next]
        next += 1
        var random = SeededGenerator(seed: seed &* 0x2545_F491_4F6C_DD1D)
        let variant = ScanVariant.random(&random)
        group.addTask {
          await ScanVariant.$current.withValue(variant) {
            await play(seed, server(seed), isLoud: seeds.count == 1)
          }
        }
      }
      for _ in 0..<3 { start() }
      while await group.next() != nil { start() }
    }
  }

  private static func play(_ seed: UInt64, _ server: Server, isLoud: Bool) async {
    var log: [String] = []
    do {
      let machine = try SyncMachine(
        seed: seed, server.kind, features: server.features, bindsKeys: server.bindsKeys,
        isLoud: isLoud)
      defer { log = machine.ledger.log }
      for _ in 0..<(server.kind.isKinto ? kintoSteps : steps) { try await machine.step() }
      try await machine.settle()
      try machine.check()
      guard try machine.resolveAll() else { return }
      try await machine.settle()
      try machine.check()
    } catch {
      Issue.record(
        "seed \(seed), server with \(server.name), \(ScanVariant.current.testDescription): \(error)"
      )
      if ProcessInfo.processInfo.environment["STORIES_TEST_LOG"] != nil {
        print(log.joined(separator: "\n"))
      }
    }
  }
}
