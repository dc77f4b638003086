import StoryAPI
import StoryLibrary

struct ServerSetting: Sendable, Equatable {
  /// The origin of a setting; earlier ones take precedence.
  enum Source: String, Sendable {
    case flag = "--server"
    case environment = "STORIES_SERVER"
    case library = "library.json"
  }

  var server: LibraryConfiguration.Server
  var source: Source

  /// Whether the user named the server, as opposed to a library, which may be someone else's. Only to
  /// such a server is a token from the environment sent.
  var isNamedByPerson: Bool { source != .library }

  /// Checks that the server can have media files, as far as is known without asking it.
  ///
  /// - Throws: `APIError.unsupported` if it keeps records only.
  func checkMedia(of library: Library) throws(APIError) {
    guard case .url(let url) = server else { return }
    let address = try? ServerAddress(url, allowsPlainHTTP: true)
    let known =
      library.configuration.api.dialect ?? address.flatMap(Dialect.shown)
      ?? library.dialectMemory(of: server.text).recall()
    guard known?.makesMedia ?? true else { throw .unsupported(.generation) }
  }

  /// The server's name in messages: `the embedded server`, or its address.
  var shown: String { server == .embedded ? "the embedded server" : server.shown }
}

extension Context {
  /// Returns the server given by an option or the environment, else the library's.
  ///
  /// - Throws: `ServerAddress.Problem`; `CommandError.noServer` if none is given.
  func serverSetting(_ library: Library?) throws -> ServerSetting {
    if let text = global.server {
      return ServerSetting(server: try .init(word: text), source: .flag)
    }
    if let text = environment["STORIES_SERVER"], !text.isEmpty {
      return ServerSetting(server: try .init(word: text), source: .environment)
    }
    guard let library else { throw CommandError.noServer }
    return ServerSetting(server: library.configuration.server, source: .library)
  }
}
