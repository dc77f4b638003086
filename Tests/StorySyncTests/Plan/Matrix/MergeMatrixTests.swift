import StoryAPI
import StoryLibrary
import StoryServer
import StorySync
import TestSupport
import Testing

/// Every state here against every state on the server, under every policy, each way: what is in the
/// file, in the sidecar and on the server afterwards, what was sent, and how the command ends.
///
/// A table has a line for each case. `here` and `there` are what happened since the last sync; `policy`
/// is what decides, `own` being the library's own. The next three columns show two of the record's
/// fields, `same` and `other`: `b` is the base's value, `l` a local edit, `s` one of the server; `–`
/// is no record, `y` the record's new name. What waits for a person is marked: `same?` a field,
/// `gone?` a record that was deleted there, `back?` one that was deleted here. `sent` is what was
/// asked of the server besides `health` and a list of each kind.
@Suite(.inTurn) struct MergeMatrixTests {
  private static func rows(_ kind: EntityKind) throws -> [MatrixRow] {
    switch kind {
    case .heroes: try MatrixRow.table(heroes)
    case .events: try MatrixRow.table(events)
    default: try MatrixRow.table(stories)
    }
  }

  @Test(arguments: EntityKind.writable, [SyncOptions.Direction.both, .push, .pull])
  func everyStateOnBothSides(_ kind: EntityKind, _ way: SyncOptions.Direction) async throws {
    let clock = ManualClock()
    var cells: [MatrixCell] = []
    for row in try Self.rows(kind) where row.ways.contains(way) {
      // Where nobody's choice matters, those that would matter most are tried.
      for chosen in row.chosen.isEmpty ? [.own, .server, .local] : row.chosen {
        cells.append(
          MatrixCell(
            sample: MatrixSample(kind: kind), row: row, chosen: chosen, way: way,
            account: "cell-\(cells.count)@example.org"))
      }
    }
    let world = try TestWorld {
      $0.clock = { clock.now }
    } fill: { server in
      for cell in cells { _ = try server.replaceRecords(of: cell.account, with: cell.imported) }
    }
    for cell in cells {
      clock.advance(milliseconds: 1_000)
      let row = cell.row
      let name: Comment =
        "\(row.here.rawValue) here, \(row.there.rawValue) there, policy \(cell.chosen)"
      do {
        #expect(try await cell.run(world, clock) == row.expected, name)
      } catch {
        Issue.record(error, name)
      }
    }
  }

  /// The matrix's smaller form: each state here against each on the server, as a sync of both ways and the
  /// library's own policies settle it. The kinds differ in policies, which are this machine's, so there is
  /// one with each server, and with two nodes only what is sent.
  @Test(
    .withKinto,
    arguments: ContractServer.kintos.map { ($0 == .nodes ? EntityKind.heroes : .stories, $0) })
  func everyStateOnBothSidesOfAKinto(_ kind: EntityKind, _ server: ContractServer) async throws {
    let clock = ManualClock(TimeSource.system.now().seconds * 1_000)
    for row in try Self.rows(kind)
    where row.ways.contains(.both) && (row.chosen.isEmpty || row.chosen.contains(.own))
      && (server == .kinto || row.expected[3] != "–")
    {
      let cell = MatrixCell(
        sample: MatrixSample(kind: kind), row: row, chosen: .own, way: .both,
        account: TestWorld.account)
      let name: Comment = "\(row.here.rawValue) here, \(row.there.rawValue) there"
      let world = try TestWorld(server) { $0.clock = { clock.now } }
      do {
        try world.bucket?.fill(cell.imported)
        #expect(try await cell.run(world, clock) == row.expected, name)
      } catch {
        Issue.record(error, name)
      }
    }
  }

  @Test(arguments: EntityKind.writable)
  func tableHasEveryCaseOnce(_ kind: EntityKind) throws {
    let rows = try Self.rows(kind)
    for here in MatrixRow.Here.allCases {
      for there in MatrixRow.There.allCases {
        for chosen in MatrixRow.Chosen.allCases {
          for way in [SyncOptions.Direction.both, .push, .pull] {
            let count = rows.count {
              $0.here == here && $0.there == there && $0.ways.contains(way)
                && ($0.chosen.isEmpty || $0.chosen.contains(chosen))
            }
            #expect(count == 1, "\(here) here, \(there) there, \(chosen), \(way)")
          }
        }
      }
    }
  }

  /// Illustrations are the server's: whatever is done to one here, nothing is sent.
  @Test(arguments: [SyncOptions.Direction.both, .push, .pull], [Strategy.server, .local])
  func illustrationsAreNeverSent(
    _ way: SyncOptions.Direction, _ strategy: Strategy
  ) async throws {
    let world = try TestWorld()
    let library = try await Samples.synced(world)
    let path = "illustrations/first-snow/01.json"
    for text in ["{\"sceneDescription\": \"snow\"}", "{\"sceneDescription\": \"rain\"}", nil] {
      if let text { try library.write(path, text) } else { try library.remove(path) }
      _ = world.takeRequests()
      try await library.sync(way) { $0.strategy = strategy }
      #expect(world.takeRequests().allSatisfy { $0.method == "GET" })
      #expect(library.exists(path) == (text != nil))
      if let text { #expect(try library.read(path) == text) }
    }
  }
}
