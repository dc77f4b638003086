import StoryAPI
import StoryLibrary
import StorySync
import Synchronization

/// Opens the server that a command works with, and closes it again.
final class ServerAccess: Sendable {
  private let library: Library
  private let setting: ServerSetting
  private let context: Context
  private let backend = Mutex<EmbeddedBackend?>(nil)

  init(library: Library, setting: ServerSetting, context: Context) {
    self.library = library
    self.setting = setting
    self.context = context
  }

  /// A connection to the server, signed in.
  ///
  /// - Throws: what keeps the embedded backend from starting; `ServerAddress.Problem`; `APIError`,
  ///   `unauthorized` where nobody is signed in.
  func connect(_ scan: Scan) async throws -> Connection {
    switch setting.server {
    case .embedded:
      let settings = try context.settings()
      let embedded = try EmbeddedBackend(library, scan: scan)
      backend.withLock { $0 = embedded }
      return try embedded.connection(settings.clientConfiguration(.v0, context))
    case .url:
      let remote = try RemoteServer(setting, of: library, context)
      return try await remote.connection()
    }
  }

  /// Ends what was opened.
  func close() async {
    let open = backend.withLock { backend in
      defer { backend = nil }
      return backend
    }
    open?.stop()
  }

}

extension LibraryConfiguration.API {
  /// The dialect that is named; `nil` where the server is to be asked.
  var dialect: Dialect? {
    switch self {
    case .v0: .v0
    case .v1: .v1
    case .auto: nil
    }
  }
}
