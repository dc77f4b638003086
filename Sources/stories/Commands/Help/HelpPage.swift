/// The help of one command, shown by `stories help` and `--help`.
struct HelpPage: Sendable {
  private let path: CommandPath

  init(_ path: CommandPath) { self.path = path }

  func write(to output: Output) {
    output.wrapped(Text(path.last.summary, .strong))
    output.line()
    output.filled(synopsis, lead: "Usage: ")
    writeDiscussion(to: output)
    writeSubcommands(to: output)
    let declarations = path.last.declarations
    write("Arguments", declarations.filter(\.isArgument), to: output)
    write("Options", declarations.filter { !$0.isArgument }, to: output)
    if path.commands.count == 1 {
      write("Options of all commands", GlobalOptions.declarations, to: output)
    }
    writeExamples(to: output)
    output.line()
    if path.commands.count == 1 {
      output.line("Run `stories help COMMAND` for help on one command.")
    } else {
      output.line("Run `stories help` for the options of all commands.")
    }
  }

  private var synopsis: [Text] {
    path.commands.count == 1
      ? [Text(path.text, .strong), "[-C DIR]", "[--json]", "[--quiet]", "COMMAND …"]
      : UsageText(path).synopsis
  }

  private func writeDiscussion(to output: Output) {
    for paragraph in path.last.discussion.split(separator: "\n\n") {
      output.line()
      output.wrapped(Text(paragraph.split(separator: "\n").joined(separator: " ")))
    }
  }

  private func writeSubcommands(to output: Output) {
    let commands = path.last.subcommands
    let width = commands.map { $0.name.count }.max() ?? 0
    // The commands of a family stand below the family's own heading.
    let family = path.commands.count == 1 ? nil : path.last.section
    for section in HelpSection.allCases {
      let members = commands.filter { (family ?? $0.section) == section }
      guard !members.isEmpty else { continue }
      output.line()
      output.line(Text(section.rawValue, .strong))
      for command in members {
        let lead = Text("  ") + Text(command.name, .changed).padded(to: width + 2)
        output.wrapped(Text(command.summary), lead: lead)
      }
    }
  }

  private func write(
    _ heading: String, _ declarations: [ParameterDeclaration], to output: Output
  ) {
    guard !declarations.isEmpty else { return }
    output.line()
    output.line(Text(heading, .strong))
    for declaration in declarations {
      let lead = Text("  ") + Text(Self.names(of: declaration), .changed) + "  "
      let column = 26
      if lead.width > column {
        output.line(lead)
        output.wrapped(Text(Self.explanation(of: declaration)), lead: "", indent: column)
      } else {
        output.wrapped(
          Text(Self.explanation(of: declaration)), lead: lead.padded(to: column))
      }
    }
  }

  static func names(of declaration: ParameterDeclaration) -> String {
    if declaration.isArgument { return declaration.name }
    let letter = declaration.letter.map { "-\($0)" }
    let long = declaration.name.isEmpty ? nil : "--" + declaration.name
    let value = declaration.form == .option ? " \(declaration.valueName)" : ""
    return [letter, long].compactMap(\.self).joined(separator: ", ") + value
  }

  static func explanation(of declaration: ParameterDeclaration) -> String {
    let choices = declaration.choices.joined(separator: ", ")
    let isNamed = declaration.choices.allSatisfy(declaration.help.contains)
    return declaration.help + (choices.isEmpty || isNamed ? "" : " (\(choices))")
  }

  private func writeExamples(to output: Output) {
    guard !path.last.examples.isEmpty else { return }
    output.line()
    output.line(Text("Examples", .strong))
    let width = path.last.examples.map(\.line.count).max() ?? 0
    for example in path.last.examples {
      let lead = Text("  \(example.line)", .changed)
      if width > 44 {
        output.line(lead)
        output.wrapped(Text(example.purpose), lead: "", indent: 6)
      } else {
        output.wrapped(Text(example.purpose), lead: lead.padded(to: width + 4))
      }
    }
  }
}
