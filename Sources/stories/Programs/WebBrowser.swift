import StoryLibrary

/// The user's web browser.
struct WebBrowser: Sendable {
  private let program: String
  private let environment: [String: String]

  /// Finds the program that opens addresses, or returns `nil` if none is installed.
  init?(_ context: Context) {
    let environment = context.childEnvironment
    #if canImport(Darwin)
      let name = "open"
    #else
      let name = "xdg-open"
    #endif
    guard let program = ExternalProgram.path(of: name, in: environment) else { return nil }
    self.program = program
    self.environment = environment
  }

  /// Opens an address without waiting for the browser, which may run longer than this process.
  /// Whether it succeeds is not known.
  func open(_ address: String) {
    ChildProcess([program, address], environment: environment).startAlone()
  }
}
