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

  private static let plusLine: Set<String> = [
    "vi", "vim", "nvim", "view", "gvim", "mvim", "elvis", "nano", "pico", "emacs", "emacsclient",
    "mg", "jed", "joe", "jmacs", "ne", "micro", "kak", "hx", "helix", "gedit", "bbedit",
  ]
  private static let goTo: Set<String> = [
    "code", "code-insiders", "codium", "vscodium", "code-oss", "cursor", "windsurf",
  ]
  private static let colonLine: Set<String> = ["subl", "zed", "zeditor", "lapce"]
  private static let dashLine: Set<String> = ["kate", "mate"]

  /// The options by which editors with windows wait until a file is closed.
  private static let waitOptions: [String: Set<String>] = [
    "subl": ["--wait", "-w"], "zed": ["--wait", "-w"], "zeditor": ["--wait", "-w"],
    "mate": ["--wait", "-w"], "bbedit": ["--wait", "-w"], "gedit": ["--wait", "-w"],
    "kate": ["--block", "-b"], "gvim": ["--nofork", "-f"], "mvim": ["--nofork", "-f"],
  ]

  /// The option that makes the editor wait, unless the command has it: otherwise the file would be
  /// taken back while somebody still writes.
  var waiting: [String] {
    guard let options = Self.goTo.contains(name) ? ["--wait", "-w"] : Self.waitOptions[name],
      let option = options.first(where: { $0.hasPrefix("--") })
    else { return [] }
    let words = command.split(whereSeparator: \.isWhitespace).map(String.init)
    return options.isDisjoint(with: words) ? [option] : []
  }

  /// Whether the program ends only when the file is closed. Of other editors nothing is known: one
  /// may have handed the file to a running instance.
  var isKnownToWait: Bool {
    let words = command.split(whereSeparator: \.isWhitespace).map(String.init)
    guard Set(["-n", "--no-wait"]).isDisjoint(with: words) else { return false }
    return Self.plusLine.contains(name) || Self.goTo.contains(name) || Self.waitOptions[name] != nil
  }

  private var name: String {
    let word = command.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    return Path.name(word.filter { $0 != "'" && $0 != "\"" })
  }

  /// Returns the arguments that open a file at a line; without the line for an unknown editor.
  func arguments(_ path: String, line: Int) -> [String] {
    if Self.plusLine.contains(name) { return ["+\(line)", path] }
    if Self.goTo.contains(name) { return ["-g", "\(path):\(line)"] }
    if Self.colonLine.contains(name) { return ["\(path):\(line)"] }
    if Self.dashLine.contains(name) { return ["-l", "\(line)", path] }
    return [path]
  }
}

extension Context {
  /// Whether a person can be asked: input and output are a terminal.
  var isInteractive: Bool { input.isTerminal && output.isTerminal && !isJSON }
}
