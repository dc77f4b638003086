import Foundation
import JSONText
import StoryLibrary
import StoryServer
import Synchronization
import TestSupport

@testable import stories

/// Libraries of the built program that sync with one server.
struct ServedLibraries: Sendable {
  let folder: TemporaryFolder
  let server: TestServer

  init(_ change: (inout ServerOptions) -> Void = { _ in }) throws {
    folder = try TemporaryFolder()
    server = try TestServer([], change)
  }

  /// The program in a new library.
  func program(_ name: String) throws -> BuiltProgram {
    _ = try server.library(in: folder, name)
    return try again(name)
  }

  /// The program in a library that is there.
  func again(_ name: String) throws -> BuiltProgram {
    var program = try BuiltProgram(in: folder)
    program.folder = folder.path(name)
    program.environment["STORIES_SERVER"] = server.url
    program.environment["STORIES_TOKEN"] = try server.token()
    return program
  }

  /// Writes new heroes into a library: `hero-1` and so on.
  func writeHeroes(_ numbers: ClosedRange<Int>, in name: String) throws {
    for number in numbers {
      try folder.write(
        "{\n  \"name\": \"Hero \(number)\",\n  \"age\": 7,\n  \"traits\": [\"brave\"]\n}\n",
        to: "\(name)/heroes/hero-\(number).json")
    }
  }

  /// The names of the live heroes on the server, sorted.
  func heroes() throws -> [String] {
    try server.server.records(.heroes, of: TestServer.email).filter { !$0.isDeleted }
      .compactMap { $0.value?["name"]?.string }.sorted()
  }
}

/// A door that requests wait at until a test opens it.
final class Gate: Sendable {
  private struct State {
    var arrived = 0
    var isOpen = false
  }

  private let state = Mutex(State())

  /// Waits here, on a connection's own thread.
  func pass() {
    state.withLock { $0.arrived += 1 }
    waitUntil { state.withLock { $0.isOpen } }
  }

  /// Waits until somebody is at the door; `false` if nobody comes.
  func waitForArrival() -> Bool { waitUntil { state.withLock { $0.arrived > 0 } } }

  func open() { state.withLock { $0.isOpen = true } }
}
