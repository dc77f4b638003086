import JSONText
import StoryLibrary
import StoryServer

struct BrowseCommand: Command {
  var port: Port?
  var staysClosed = false

  static let name = "browse"
  static let summary = "Open the library as pages in your browser"
  static let discussion = """
    Opens your heroes and stories in the browser, with pictures and narrations, until Ctrl-C. Each \
    page is made from the files as they are at that moment. "Read tonight" and the star change the \
    record's file, as if you had edited it; the next sync sends that.

    Only this machine can reach the pages, and only with the address that is printed: it has a \
    secret token, which works until Ctrl-C. The browser is started with an address that works \
    once, because other users can see a program's arguments. Nothing is fetched from elsewhere, \
    and no page needs a script. For pages that work without this program, see \
    `stories export html`.
    """
  static let examples = [
    Example("stories browse", "on a free port"),
    Example("stories browse --no-open", "only print the address"),
    Example("stories browse --port 8421", "on a port of your choice"),
  ]
  static let parameters: [Parameter<BrowseCommand>] = [
    .option("port", value: "N", \.port, help: "The port (default: a free one)"),
    .flag("no-open", \.staysClosed, help: "Print the address without opening a browser"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let site = BrowseSite(try context.library(), context)
    let server = HTTPServer(
      pagesAt: port?.value ?? 0, bodyBytes: BrowseSite.longestForm, handler: BrowseGate(site))
    // Before the address is known, so that the first page comes at once.
    _ = try site.shelf.current()
    try server.start()
    defer { server.stop() }
    let url = BrowseKeys.address(port: server.port, token: site.keys.token)
    await context.waitForSignal {
      if context.isJSON {
        let report: Members = ["schema": "stories.browse/1", "url": url, "port": server.port]
        context.output.jsonLine(report)
      } else {
        context.output.line(Text(url))
      }
      context.output.sink.flush()
      if !staysClosed {
        let once = BrowseKeys.address(port: server.port, token: site.keys.opening)
        context.openInBrowser(once)
      }
      context.note("Ctrl-C ends it.")
    }
    if await site.sync.stop() { context.note("The sync was stopped; `stories sync` continues it.") }
    return .done
  }
}

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
