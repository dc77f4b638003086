import Foundation
import TestSupport

/// Runs the commands of console blocks one after the other in one shell, as somebody would who reads
/// the page, and keeps what each prints.
///
/// The shell starts in a copy of the project in which only `SampleData` is there and `stories` is
/// built; its home is empty and of the environment it has nothing but `PATH`. `swift run` runs the
/// program that was built. Servers take a free port; the page shows ``shownURL``.
struct ConsoleScript {
  /// The address that a page shows for a server that `stories serve` starts.
  static let shownURL = "http://127.0.0.1:8420"

  /// The folder that everything happens in.
  let folder: String
  /// The program.
  let program: String
  /// The folder of the sample library.
  let sampleData: String

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
      servers=()
      trap 'kill "${servers[@]}" 2>/dev/null; wait' EXIT

      """
    for (number, step) in steps.enumerated() {
      script += "printf '\\036\\n'\n"
      let command = step.command.replacingOccurrences(of: Self.shownURL, with: "${url}")
      guard step.isInBackground else {
        script += command + "\n"
        continue
      }
      let lines = max(1, step.output.split(separator: "\n").count)
      let quiet = command.dropLast().trimmingCharacters(in: .whitespaces)
        .replacingOccurrences(of: "stories serve", with: "stories serve --port 0")
      // Its output is complete once it has as many lines as the page shows; a server prints no more.
      script += """
        out="\(folder)/output-\(number)"
        : >"$out"
        \(quiet) >"$out" 2>&1 &
        servers+=($!)
        for _ in {1..500}; do
          [ "$(wc -l <"$out")" -ge \(lines) ] && break
          sleep 0.02
        done
        url=$(head -n 1 "$out")
        cat "$out"

        """
    }
    return script
  }

  /// Output as a page shows it: without the folders and ports that this run happened to have.
  private func shown(_ output: String) -> String {
    var text = output.replacingOccurrences(of: folder, with: "~")
    text = text.replacing(/http:\/\/127\.0\.0\.1:[0-9]+/, with: Self.shownURL)
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}
