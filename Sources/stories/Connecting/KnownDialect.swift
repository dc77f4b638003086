import JSONText
import StoryAPI
import StoryLibrary

/// Which form of the contract a library's server was found to speak, where the setting `api` leaves
/// that open: `.stories/api.json`, `{"version":1,"server":"https://…","api":"v1"}`.
///
/// Without it, or where it cannot be read or is of another server, both forms are tried.
struct KnownDialect: Sendable {
  let library: Library
  /// The server's address.
  let server: String

  private var path: ConfinedPath { library.statePath("api.json") }

  /// The same for a client.
  var memory: DialectMemory { DialectMemory(recall: { recall() }, keep: { keep($0) }) }

  private func recall() -> Dialect? {
    guard let bytes = try? FileSystem.read(path), let value = try? JSONValue(parsing: bytes),
      value["version"]?.integer == 1, value["server"]?.string == server
    else { return nil }
    return value["api"]?.string.flatMap(Dialect.init(rawValue:))
  }

  /// A read-only library is asked for anew each time.
  private func keep(_ dialect: Dialect) {
    let value: JSONValue = [
      "version": 1, "server": .string(server), "api": .string(dialect.rawValue),
    ]
    guard (try? library.prepareStateFolder()) != nil else { return }
    _ = try? AtomicFile.write(value.fileBytes(), to: path, mode: 0o600)
  }
}
