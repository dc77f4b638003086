import JSONText
import StoryAPI
import StoryLibrary
import StorySync

struct InitCommand: Command {
  var folder: String?
  var api: LibraryConfiguration.API?
  var editor: EditorSetup.Editor?
  var allowsPlainHTTP = false
  var isDryRun = false

  static let name = "init"
  static let summary = "Create a library"
  static let discussion = """
    Creates the folder if needed, with a library.json and a folder for each kind of record. \
    Existing files are not changed.

    Without --server, the library uses the embedded server: it needs no other program and no \
    account, and keeps its data in .stories/ on this machine.

    An http:// address is refused unless it is this machine, or --allow-plain-http allows it: anyone \
    on the network could read what is sent.

    --editor also lets an editor complete and check the fields of records, as `stories schema \
    --editor` does later.
    """
  static let examples = [
    Example("stories init my-library", "a library with the embedded server"),
    Example("stories init my-library --editor vscode", "set up for Visual Studio Code"),
    Example("stories init --server https://stories.example", "the current folder, with a server"),
    Example(
      "stories init tales --server https://kinto.example/v1/buckets/family", "a bucket of a Kinto"),
  ]
  static let parameters: [Parameter<InitCommand>] = [
    .argument(
      "DIR", \.folder, help: "The library's folder (default: the current one)", completion: .folder),
    .option(
      "api", value: "v0|v1|kinto|auto", \.api,
      help: "The server's API; auto, the default, asks the server"),
    .option("editor", value: "EDITOR", \.editor, help: "Let an editor complete and check records"),
    .allowPlainHTTP(\.allowsPlainHTTP),
    .flag("dry-run", \.isDryRun, help: "Show what would be created, without creating it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let path = Path.absolute(folder ?? ".", in: context.folder)
    let root = Path.resolved(path) ?? path
    let server = try LibraryConfiguration.Server(word: context.global.server ?? "embedded")
    let configuration = try LibraryConfiguration(server: server, api: api ?? .auto)
    if allowsPlainHTTP {
      try context.allowPlainHTTP(server.text, isDryRun: true)
    } else if case .url(let url) = server {
      _ = try context.advisingPlainHTTP { try context.serverAddress(url) }
    }
    guard !FileSystem.exists(Path.join(root, LibraryConfiguration.fileName)) else {
      throw LibraryError.exists(root)
    }
    if let other = Library.root(from: Path.parent(root)) {
      let parts = Path.relative(root, to: other)?.split(separator: "/").map(String.init) ?? []
      let isOfKind = EntityKind.allCases.contains { $0.folder == parts.first }
      let names = (try? FileSystem.list(root).map(\.name)) ?? []
      let holdsRecords = names.contains { $0 == ".sync" || $0.hasSuffix(".json") }
      if isOfKind && (parts.count == 1 || holdsRecords) || parts.contains(".sync")
        || parts.first == Library.stateFolderName
      {
        throw CommandError.insideRecords(context.shown(root), library: context.shown(other))
      }
      // This is rarely intended.
      context.note("Note: this is inside the library in \(context.shown(other))")
    }
    var setup: (EditorSetup, files: [EditorSetup.File])?
    var stop: SafetyStop?
    if !isDryRun {
      if allowsPlainHTTP { try context.allowPlainHTTP(server.text) }
      let library = try Library.create(at: root, configuration: configuration)
      if let editor {
        let editorSetup = EditorSetup(editor: editor, library: library)
        setup = (editorSetup, try editorSetup.run(isDryRun: false))
      }
      if case .url(let url) = server {
        context.trust(library.root, with: try ServerAddress(url, allowsPlainHTTP: true))
      }
      stop = library.otherOwner(than: server.text, try context.scan(library))
    }
    context.tell([
      "schema": "stories.init/1", "dryRun": isDryRun, "root": root, "server": server.text,
      "api": configuration.api.rawValue, "files": Omitted(setup?.files),
    ]) {
      write(root, server, context)
      if let (setup, files) = setup { setup.write(files, isDryRun: false, context) }
    }
    // The folder has records of a library whose library.json was lost.
    if let stop {
      var inside = context
      let folder = context.shown(root)
      if folder != "." { inside.global.folder = folder }
      inside.note(Text("Note: ", .warning) + Text(stop.message))
      inside.note(Text("  Hint: ", .faint) + Text(stop.hint, .faint))
    }
    return .done
  }

  private func write(_ root: String, _ server: LibraryConfiguration.Server, _ context: Context) {
    let output = context.output
    let place = context.shown(root)
    let command = place == "." ? "stories" : "stories -C \(ShellWord.quoting(place))"
    output.line(
      Text(isDryRun ? "Would create a library in " : "Created a library in ") + Text(place, .strong)
    )
    var table = Table()
    let kind = server == .embedded ? "the embedded server" : server.text
    table.add("library.json", "its settings; synced with \(kind)")
    let folders = EntityKind.writable.map { $0.folder + "/" }.joined(separator: " ")
    table.add(Text(folders), "your records")
    table.add(".stories/", "local state of this machine; git ignores it")
    if let editor {
      let purpose = "the fields of records, for \(editor.rawValue)"
      table.add(Text(EditorSetup.folder + "/"), Text(purpose))
    }
    table.write(to: output)
    guard !isDryRun else { return }
    output.line()
    output.line("Next:")
    var steps = Table()
    steps.add(Text("\(command) new hero Luna", .changed), "create a first record")
    if server != .embedded {
      let address = try? ServerAddress(server.text, allowsPlainHTTP: true)
      let dialect = api?.dialect ?? address.flatMap(Dialect.shown)
      let option = dialect?.namesAccounts == true ? "--user" : "--email"
      steps.add(Text("\(command) sign-in \(option) YOU", .changed), "or sign-up, for a new account")
    }
    steps.add(Text("\(command) sync", .changed), "sync it with the server")
    if GitRepository(around: Path.parent(root)) != nil || GitRepository(around: root) != nil {
      steps.add(Text("\(command) git setup", .changed), "let git merge and show records")
    }
    steps.write(to: output)
  }
}

extension LibraryConfiguration.API: ChoiceArgument {}

extension LibraryConfiguration.Server {
  /// Parses a server of the command line or the environment.
  ///
  /// - Throws: `ServerAddress.Problem` for anything but `embedded` or an address. Whether plain
  ///   http is allowed is checked before sending.
  init(word: String) throws(ServerAddress.Problem) {
    self.init(word)
    if case .url(let url) = self { self = .url(try ServerAddress(url, allowsPlainHTTP: true).text) }
  }
}
