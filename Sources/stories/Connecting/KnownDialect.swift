import JSONText
import StoryAPI
import StoryLibrary

extension Library {
  /// The dialect that a server was found to speak, for `"api": "auto"`: `.stories/api.json`,
  /// `{"version":1,"server":"https://…","api":"v1"}`.
  ///
  /// If the file is missing, cannot be read or is for another server, the dialects are tried in turn.
  /// In a read-only library, nothing is stored and the server is asked each time.
  func dialectMemory(of server: String) -> DialectMemory {
    let path = statePath("api.json")
    return DialectMemory {
      guard let bytes = try? FileSystem.read(path), let value = try? JSONValue(parsing: bytes),
        value["version"]?.integer == 1, value["server"]?.string == server
      else { return nil }
      return value["api"]?.string.flatMap(Dialect.init(rawValue:))
    } keep: { dialect in
      let value: JSONValue = [
        "version": 1, "server": .string(server), "api": .string(dialect.rawValue),
      ]
      guard (try? prepareStateFolder()) != nil else { return }
      _ = try? AtomicFile.write(value.fileBytes(), to: path, mode: 0o600)
    }
  }
}
