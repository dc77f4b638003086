/// A fenced block of a Markdown page that shows a terminal: commands behind `$ `, and below each what
/// it prints.
struct ConsoleBlock: Sendable {
  /// One command and its output.
  struct Step: Sendable {
    /// The command; of several lines those behind the first start with `> `.
    var command: String
    /// What the page says that it prints, without the last line end.
    var output: String

    /// Whether it goes on while the next commands run.
    var isInBackground: Bool { command.hasSuffix("&") }
  }

  /// The line of the page on which the block starts, from 1.
  var line: Int
  /// The commands in their order.
  var steps: [Step]

  /// The blocks of a page, in their order.
  static func all(in page: String) -> [ConsoleBlock] {
    var blocks: [ConsoleBlock] = []
    var isInside = false
    for (index, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if !isInside {
        if line == "```console" {
          isInside = true
          blocks.append(ConsoleBlock(line: index + 1, steps: []))
        }
      } else if line == "```" {
        isInside = false
      } else {
        blocks[blocks.count - 1].read(line)
      }
    }
    return blocks
  }

  private mutating func read(_ line: Substring) {
    let last = steps.indices.last
    if line.hasPrefix("$ ") {
      steps.append(Step(command: String(line.dropFirst(2)), output: ""))
    } else if let last, line.hasPrefix("> "), steps[last].output.isEmpty {
      steps[last].command += "\n" + line.dropFirst(2)
    } else if let last {
      steps[last].output += steps[last].output.isEmpty ? String(line) : "\n" + line
    }
  }

  /// The block as it stands on a page, with these outputs.
  func text(outputs: some Sequence<String>) -> String {
    var text = "```console\n"
    for (step, output) in zip(steps, outputs) {
      text += "$ " + step.command.split(separator: "\n").joined(separator: "\n> ") + "\n"
      if !output.isEmpty { text += output + "\n" }
    }
    return text + "```"
  }
}
