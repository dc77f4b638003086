import Foundation
import TestSupport

/// Runs the commands of console blocks one after the other in one shell, as somebody would who reads
/// the page, and keeps what each prints.
///
/// The shell starts in a copy of the project in which only `SampleData` is there and `stories` is
/// built; its home is empty and of the environment it has nothing but `PATH`. `swift run` runs the
/// program that was built. Servers, which are what runs in the background, take a free port; the page
/// shows that of `--port`, or ``usualPort``.
struct ConsoleScript {
  /// The port that a page shows for a server that is started without one.
  private static let usualPort = "8420"

  /// The folder that everything happens in.
  let folder: String
  /// The program.
  let program: String
  /// The folder of the sample library.
  let sampleData: String
  /// What the shell does before the first command.
  var prologue = ""

  private var copy: String { folder + "/stories" }

  /// Runs commands.
  ///
  /// - Returns: what each printed on both of its streams, without the last line end.
  /// - Throws: where the folder cannot be made or the shell not started.
  func run(_ steps: [ConsoleBlock.Step]) throws -> [String] {
    try prepare()
    let running = try RunningProgram(
      ProgramStart(
        words: ["/bin/bash", "--noprofile", "--norc", "-c", "exec 2>&1\n" + script(steps)],
        environment: [
          "HOME": folder + "/home", "PATH": "/usr/local/bin:/usr/bin:/bin",
          "LC_ALL": "C.UTF-8", "TMPDIR": folder,
        ],
        folder: copy))
    running.send("")
    let parts = running.wait().output.components(separatedBy: Self.separator)
    return parts.dropFirst().map(shown)
  }

  private static func url(_ port: String) -> String { "http://127.0.0.1:\(port)" }

  private static func port(of command: String) -> String {
    command.firstMatch(of: /--port ([0-9]+)/).map { String($0.output.1) } ?? usualPort
  }

  /// What no command prints.
  private static let separator = "\u{1e}\n"

  private func prepare() throws {
    let manager = FileManager.default
    for path in ["\(copy)/.build/debug", "\(folder)/home"] {
      try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try manager.copyItem(atPath: sampleData, toPath: copy + "/SampleData")
    try manager.createSymbolicLink(
      atPath: copy + "/.build/debug/stories", withDestinationPath: program)
  }

  /// The commands as one script; the sample library in it is fresh, whatever was tried in this checkout.
  private func script(_ steps: [ConsoleBlock.Step]) -> String {
    var script = """
      find SampleData -name .sync -prune -exec rm -rf {} +
      rm -rf SampleData/.stories
      swift() {
        [ "$1" = run ] || return 64
        ".build/debug/$2" "${@:3}"
      }
      \(prologue)
      servers=()
      trap 'kill "${servers[@]}" 2>/dev/null; wait' EXIT

      """
    let ports = steps.filter(\.isInBackground).map { Self.port(of: $0.command) }
    for (number, step) in steps.enumerated() {
      script += "printf '\\036\\n'\n"
      let command = ports.reduce(step.command) {
        $0.replacingOccurrences(of: Self.url($1), with: "${url_\($1)}")
      }
      guard step.isInBackground else {
        script += command + "\n"
        continue
      }
      let lines = max(1, step.output.split(separator: "\n").count)
      let port = Self.port(of: command)
      let quiet =
        command.dropLast().trimmingCharacters(in: .whitespaces)
        .replacing(" --port \(port)", with: "") + " --port 0"
      // Its output is complete once it has as many lines as the page shows; a server prints no more.
      script += """
        out="\(folder)/output-\(number)"
        : >"$out"
        \(quiet) >"$out" 2>&1 &
        servers+=($!)
        for _ in {1..2000}; do
          [ "$(wc -l <"$out")" -ge \(lines) ] && break
          sleep 0.02
        done
        url_\(port)=$(grep -om 1 'http://127.0.0.1:[0-9]*' "$out")
        echo "\(port) $url_\(port)" >>'\(folder)/ports'
        cat "$out"

        """
    }
    return script
  }

  /// Output as a page shows it: without the folders and ports that this run happened to have.
  private func shown(_ output: String) -> String {
    var text = output.replacingOccurrences(of: folder, with: "~")
    let ports = (try? String(contentsOfFile: folder + "/ports", encoding: .utf8)) ?? ""
    for line in ports.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2 else { continue }
      text = text.replacing(words[1], with: Self.url(String(words[0])))
    }
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }

  // MARK: Pages

  /// Runs the commands of a page and returns the blocks that should show something else, with what.
  func mismatches(on path: String, in root: String) throws -> [String] {
    let page = try String(contentsOfFile: root + "/" + path, encoding: .utf8)
    let blocks = ConsoleBlock.all(in: page)
    let steps = blocks.flatMap(\.steps)
    guard steps.count >= 8 else { return ["\(path) has lost its tour"] }
    let outputs = try run(steps)
    guard outputs.count == steps.count else {
      return ["the shell ended early: \(outputs.last ?? "")"]
    }
    var rest = outputs[...]
    return blocks.compactMap { block in
      let printed = rest.prefix(block.steps.count)
      rest = rest.dropFirst(block.steps.count)
      let isSame = zip(block.steps, printed).allSatisfy {
        Self.comparable($0.output) == Self.comparable($1)
      }
      return isSame
        ? nil : "\(path):\(block.line) should say:\n\n\(block.text(outputs: printed))\n"
    }
  }

  /// Output without what differs from run to run: ids, times, durations and sizes of lists.
  private static func comparable(_ output: String) -> String {
    output
      .replacing(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "<id>")
      .replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[0-9:.\-]|%3A)+Z/, with: "<time>")
      .replacing(/[0-9.]+ (ms|s)\b/, with: "<duration>")
      .replacing(/[0-9.]+ KB/, with: "<size>")
  }
}
