import StoryAPI
import StoryLibrary
import StoryServer
import Synchronization
import TestSupport
import Testing

@testable import StorySync

/// Whoever waits for the library's lock finds that what the sync before it opened is closed.
@Suite(.inTurn) struct ConnectionLifeTests {
  @Test(arguments: [nil, FaultRule(.answer(status: 500)), FaultRule(.answer(status: 401))])
  func `closed once, while the lock is still held`(_ fault: FaultRule?) async throws {
    let world = try TestWorld()
    let a = try world.library("a")
    try a.write("heroes/luna.json", #"{"name": "Luna", "age": 7, "traits": ["brave"]}"#)
    if let fault { world.server.addFault(fault) }
    let library = try a.library
    let wasLocked = Mutex<[Bool]>([])
    var synchronizer = try a.synchronizer()
    synchronizer.connect = { [connect = synchronizer.connect] scan in
      var connection = try await connect(scan)
      connection.close = {
        let isFree = (try? LibraryLock(library)) != nil
        wasLocked.withLock { $0.append(!isFree) }
      }
      return connection
    }
    _ = try await synchronizer.run(SyncOptions())
    #expect(wasLocked.withLock { $0 } == [true])
  }

  @Test func `repositories keep theirs for the next call`() async throws {
    let a = try TestWorld().library("a")
    let isClosed = Mutex(false)
    let connect = try a.synchronizer().connect
    let repositories = Repositories(try a.library) { scan in
      var connection = try await connect(scan)
      connection.close = { isClosed.withLock { $0 = true } }
      return connection
    }
    try await repositories.sync()
    try await repositories.sync()
    #expect(!isClosed.withLock { $0 })
  }
}
