import StoryLibrary

extension Context {
  /// Opens an address in the user's web browser, if a program for that is installed. Does not wait for
  /// the browser, which may run longer than this process; whether it succeeds is not known.
  func openInBrowser(_ address: String) {
    #if canImport(Darwin)
      let name = "open"
    #else
      let name = "xdg-open"
    #endif
    guard let program = ExternalProgram.path(of: name, in: childEnvironment) else { return }
    ChildProcess([program, address], environment: childEnvironment).startAlone()
  }
}
