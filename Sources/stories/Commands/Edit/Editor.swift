import StoryLibrary

struct Editor: Sendable {
  let command: String

  /// Finds the editor: `VISUAL`, else `EDITOR`, else `vi` on a terminal.
  ///
  /// - Throws: `ProgramError.noEditor` if there is none.
  init(_ context: Context) throws(ProgramError) {
    let named = ["VISUAL", "EDITOR"].lazy.compactMap { context.environment[$0] }.first {
      $0.contains { !$0.isWhitespace }
    }
    guard let command = named ?? (context.isInteractive ? "vi" : nil) else { throw .noEditor }
    self.command = command
  }

  /// Opens a file and waits until the editor is closed.
  ///
  /// - Parameter line: the line to show, from 1, if the editor is known to take one.
  /// - Throws: `ProgramError`: `noSuchEditor`, or `failed` if it could not be started or failed.
  func open(_ path: String, line: Int? = nil) throws(ProgramError) {
    let arguments = waiting + (line.map { self.arguments(path, line: $0) } ?? [path])
    let status = try ExternalProgram(command: command, arguments: arguments).run()
    // The shell's status for a command that it did not find.
    guard status != 127 else { throw .noSuchEditor(command) }
    guard status == 0 else { throw .exited(command, status: status) }
  }

  /// Known editors: the words that open a file at a line, and the options by which those wait until the
  /// file is closed that otherwise would not; `nil` if it is not known whether an editor waits.
  private static let known: [(names: String, opening: [String], waiting: [String]?)] = [
    (
      "vi vim nvim view elvis nano pico emacs emacsclient mg jed joe jmacs ne micro kak hx helix",
      ["+LINE", "PATH"], []
    ),
    ("gvim mvim", ["+LINE", "PATH"], ["--nofork", "-f"]),
    ("gedit bbedit", ["+LINE", "PATH"], ["--wait", "-w"]),
    (
      "code code-insiders codium vscodium code-oss cursor windsurf", ["-g", "PATH:LINE"],
      ["--wait", "-w"]
    ),
    ("subl zed zeditor", ["PATH:LINE"], ["--wait", "-w"]),
    ("lapce", ["PATH:LINE"], nil),
    ("kate", ["-l", "LINE", "PATH"], ["--block", "-b"]),
    ("mate", ["-l", "LINE", "PATH"], ["--wait", "-w"]),
  ]

  private var words: [String] { command.split(whereSeparator: \.isWhitespace).map(String.init) }

  private var ways: (names: String, opening: [String], waiting: [String]?)? {
    let name = Path.name((words.first ?? "").filter { $0 != "'" && $0 != "\"" })
    return Self.known.first { $0.names.split(separator: " ").contains(name[...]) }
  }

  /// The option that makes the editor wait, unless the command has it: otherwise the file would be
  /// taken back while somebody still writes.
  var waiting: [String] {
    let options = ways?.waiting ?? []
    return words.contains(where: options.contains) ? [] : Array(options.prefix(1))
  }

  /// Whether the program ends only when the file is closed. Of other editors nothing is known: one
  /// may have handed the file to a running instance.
  var isKnownToWait: Bool {
    ways?.waiting != nil && !words.contains { $0 == "-n" || $0 == "--no-wait" }
  }

  /// Returns the arguments that open a file at a line; without the line for an unknown editor.
  func arguments(_ path: String, line: Int) -> [String] {
    (ways?.opening ?? ["PATH"]).map {
      $0.replacing("LINE", with: "\(line)").replacing("PATH", with: path)
    }
  }
}

extension Context {
  /// Whether a person can be asked: input and output are a terminal.
  var isInteractive: Bool { input.isTerminal && output.isTerminal && !isJSON }
}
