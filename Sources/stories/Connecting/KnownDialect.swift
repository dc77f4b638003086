import JSONText
import StoryAPI
import StoryLibrary

/// The dialect that a library's server was found to speak, for `"api": "auto"`: `.stories/api.json`,
/// `{"version":1,"server":"https://…","api":"v1"}`.
///
/// If the file is missing, cannot be read or is for another server, the dialects are tried in turn.
struct KnownDialect: Sendable {
  let library: Library
  /// The server's address.
  let server: String

  private var path: ConfinedPath { library.statePath("api.json") }

  /// The dialect as a client reads and writes it.
  var memory: DialectMemory { DialectMemory(recall: { recall() }, keep: { keep($0) }) }

  private func recall() -> Dialect? {
    guard let bytes = try? FileSystem.read(path), let value = try? JSONValue(parsing: bytes),
      value["version"]?.integer == 1, value["server"]?.string == server
    else { return nil }
    return value["api"]?.string.flatMap(Dialect.init(rawValue:))
  }

  /// Stores the dialect. In a read-only library, nothing is stored and the server is asked each time.
  private func keep(_ dialect: Dialect) {
    let value: JSONValue = [
      "version": 1, "server": .string(server), "api": .string(dialect.rawValue),
    ]
    guard (try? library.prepareStateFolder()) != nil else { return }
    _ = try? AtomicFile.write(value.fileBytes(), to: path, mode: 0o600)
  }
}
