import JSONText
import StoryAPI
import StoryLibrary

/// The streams, environment and clock of a command. Commands use nothing else from outside, so that
/// tests can run them in-process.
struct Context: Sendable {
  var output: Output
  /// The stream for notes, progress and errors.
  var errors: Output
  var input: Input
  /// The environment variables in ``environmentNames``.
  var environment: [String: String]
  /// The folder that the program was started in; paths in messages are relative to it.
  var startFolder: String
  /// The folder that the command works from: ``startFolder``, or that of `-C`.
  var folder: String
  var time = TimeSource.system
  /// Random numbers in 0..<1, which spread waits.
  var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
  /// The environment of child processes, without secrets.
  var childEnvironment: [String: String]
  /// The addresses by which other machines can reach this one.
  var networkAddresses: @Sendable () -> [String] = { [] }
  /// The server that could not be reached last.
  let reach = Reach.Memory()
  var signals = Signals.none
  /// The absolute path of this program, without links.
  var programPath = ""
  /// The words of the command line, without the program's name.
  var arguments: [String] = []
  var global = GlobalOptions()

  /// Creates a context in a folder, with the system's clock.
  init(
    output: Output, errors: Output, input: Input, environment: [String: String], folder: String
  ) {
    self.output = output
    self.errors = errors
    self.input = input
    self.environment = environment
    startFolder = folder
    self.folder = folder
    childEnvironment = environment
    self.output.isASCII = PlainASCII.isWanted(environment)
    self.errors.isASCII = self.output.isASCII
  }

  /// A clock that only goes forward.
  var uptime: @Sendable () -> Duration { time.uptime }

  /// The variables that the program reads.
  static let environmentNames =
    [
      "STORIES_SERVER", "STORIES_TOKEN", "STORIES_STORYTELLER_KEY", "STORIES_INVITE",
      "STORIES_CONFIG_DIR", "NO_COLOR", "TERM", "COLUMNS", "LC_ALL", "LC_CTYPE", "LANG",
      "HOME",
      "XDG_CONFIG_HOME", "XDG_DATA_HOME", "VISUAL", "EDITOR", "PAGER", "STORIES_PLAYER", "PATH",
      "GIT_INDEX_FILE",
    ] + SettingName.allCases.map(\.variable) + EngineSettings.variables

  /// Whether the result is one JSON document.
  var isJSON: Bool { global.isJSON }

  /// Returns the context with the global options applied: the folder of `-C` and colours.
  ///
  /// - Throws: `CommandError.noSuchFolder`.
  func applying(_ global: GlobalOptions) throws -> Context {
    var result = self
    result.global = global
    if let folder = global.folder {
      let path = Path.absolute(folder, in: startFolder)
      guard let resolved = Path.resolved(path), try FileSystem.status(resolved)?.type == .folder
      else { throw CommandError.noSuchFolder(path) }
      result.folder = resolved
    }
    result.output.usesColour = usesColour(result.output, global)
    result.errors.usesColour = usesColour(result.errors, global)
    return result
  }

  /// Returns whether an output has colour: on a terminal, unless `--color` or the environment
  /// overrides that (https://no-color.org).
  private func usesColour(_ output: Output, _ global: GlobalOptions) -> Bool {
    switch global.colour ?? .auto {
    case .always: true
    case .never: false
    case .auto:
      output.isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
  }

  /// Writes a result: with `--json` the report as a document, else its text.
  func tell(_ report: Members, inWords write: () throws -> Void) rethrows {
    if isJSON { output.json(report) } else { try write() }
  }

  func tell(_ report: some MemberEncodable, inWords write: () throws -> Void) rethrows {
    if isJSON { output.json(report) } else { try write() }
  }

  /// Writes a note to standard error, unless `--quiet` is given.
  func note(_ text: Text) {
    guard !global.isQuiet else { return }
    output.sink.flush()
    errors.prose(runnable(text))
  }

  /// Writes a note that is less important than the result.
  func aside(_ text: String) { note(Text(text, .faint)) }

  /// Writes a note to standard error if `-v` is given.
  func detail(_ text: @autoclosure () -> Text) {
    guard global.verbosity > 0 else { return }
    output.sink.flush()
    errors.line(runnable(text()))
  }

  /// Returns the progress of long work, which is shown only on a terminal and without `--quiet`.
  func progress() -> Progress {
    Progress(errors.isTerminal && !global.isQuiet ? errors : nil, uptime: uptime)
  }

  /// Returns a path for output: relative to the start folder if one contains the other, else absolute.
  func shown(_ path: String) -> String {
    if let inner = Path.relative(path, to: startFolder) { return inner.isEmpty ? "." : inner }
    var above = Path.parent(startFolder)
    var steps = "../"
    // Up to three `..` are easier to read than an absolute path.
    for _ in 0..<3 where above != "/" {
      if let inner = Path.relative(path, to: above) {
        return inner.isEmpty ? String(steps.dropLast()) : steps + inner
      }
      above = Path.parent(above)
      steps += "../"
    }
    return path
  }
}
