import JSONText
import StoryAPI
import StoryLibrary
import StorySync

/// `stories clone`: a new library with everything that an account has on a server.
struct CloneCommand: Command {
  var server = ""
  var folder = ""
  var api: LibraryConfiguration.API?
  var makesRepository = false

  static let name = "clone"
  static let summary = "Make a library from what is on a server"
  static let section = HelpSection.library
  static let discussion = """
    Makes a library in a folder that is empty or not there, and pulls everything that you have on the \
    server. Nothing is sent. Where nobody is signed in (exit code 5) or the server is not reached \
    (6), nothing is made; where the pull ends on its way, `stories -C DIR sync pull` goes on.

    To get a library that is in git already, use `git clone` instead.
    """
  static let examples = [
    Example("stories clone https://stories.example my-library", "then edit, and `stories sync`"),
    Example("stories clone https://stories.example my-library --git", "and `git init` in it"),
  ]
  static let parameters: [Parameter<CloneCommand>] = [
    .argument("URL", \.server, help: "The server's address"),
    .argument("DIR", \.folder, help: "Where", completion: .folder),
    .option(
      "api", value: "v0|v1|auto", \.api,
      help: "Which form of the contract the server speaks; auto, the default, asks it"),
    .flag("git", \.makesRepository, help: "Make it a git repository as well"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let address = try context.serverAddress(server)
    let path = Path.absolute(folder, in: context.folder)
    let root = Path.resolved(path) ?? path
    let wasThere = FileSystem.exists(root)
    if wasThere, try FileSystem.status(root)?.type != .folder || !FileSystem.list(root).isEmpty {
      throw CommandError.folderInUse(root)
    }
    let configuration = try LibraryConfiguration(server: .url(address.text), api: api ?? .auto)
    let setting = ServerSetting(server: configuration.server, source: .flag)
    // Whether there is anything to clone is asked before anything is made.
    let (client, session) = try await RemoteServer(setting, of: nil, context).signedInClient()
    if session.user == nil { _ = try await client.currentUser() }
    let library = try Library.create(at: root, configuration: configuration)
    var inner = context
    inner.folder = root
    do {
      let (report, text) = try await Self.pull.perform(library, setting, inner)
      if report.receivedNew.isEmpty, report.error != nil { removeLibrary(root, wasThere) }
      let hasRepository = makesRepository && FileSystem.exists(root) && makeRepository(root)
      write(report, text, root, isRepository: hasRepository, inner)
      if makesRepository, !hasRepository, FileSystem.exists(root) {
        context.errors.line(
          Text("Error:", .error) + " git init did not work in \(context.shown(root))")
        return .worst([report.exitCode, .failed])
      }
      return report.exitCode
    } catch {
      removeLibrary(root, wasThere)
      throw error
    }
  }

  private static var pull: SyncCommand {
    var command = SyncCommand()
    command.direction = .pull
    return command
  }

  /// Takes back a library that got nothing.
  private func removeLibrary(_ root: String, _ wasThere: Bool) {
    try? FileSystem.removeTree(root)
    if wasThere { try? FileSystem.makeFolder(root) }
  }

  private func makeRepository(_ root: String) -> Bool {
    let git = ChildProcess(
      ["git", "-C", root, "init", "-q"], environment: ChildProcess.ownEnvironment)
    return (try? git.run().status) == 0
  }

  private func write(
    _ report: SyncReport, _ text: SyncText, _ root: String, isRepository: Bool, _ context: Context
  ) {
    if context.isJSON {
      context.output.json([
        "schema": "stories.clone/1", "root": .string(root), "git": .bool(isRepository),
        "sync": report.json,
      ])
    } else {
      text.write(to: context.output, context: context)
      if report.exitCode == .done, !context.global.isQuiet {
        context.output.line(Text("The library is in ") + Text(context.shown(root), .strong))
        if isRepository {
          context.note(
            Text("Let git merge records: stories -C \(context.shown(root)) git setup", .faint))
        }
      }
    }
    text.writeFailures(context)
  }
}
