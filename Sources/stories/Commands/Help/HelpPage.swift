extension CommandPath {
  /// Writes the help of the command, as `stories help` and `--help` show it.
  func writeHelp(to output: Output) {
    output.wrapped(Text(last.summary, .strong))
    output.line()
    output.filled(helpSynopsis, lead: "Usage: ")
    writeDiscussion(to: output)
    writeSubcommands(to: output)
    let declarations = last.declarations
    write("Arguments", declarations.filter(\.isArgument), to: output)
    write("Options", declarations.filter { !$0.isArgument }, to: output)
    if commands.count == 1 {
      write("Options of all commands", GlobalOptions.declarations, to: output)
    }
    writeExamples(to: output)
    output.line()
    if commands.count == 1 {
      output.line("Run `stories help COMMAND` for help on one command.")
    } else {
      output.line("Run `stories help` for the options of all commands.")
    }
  }

  private func writeDiscussion(to output: Output) {
    for paragraph in last.discussion.split(separator: "\n\n") {
      output.line()
      output.wrapped(Text(paragraph.split(separator: "\n").joined(separator: " ")))
    }
  }

  private func writeSubcommands(to output: Output) {
    let width = last.subcommands.map { $0.name.count }.max() ?? 0
    for section in sections where !section.commands.isEmpty {
      output.line()
      output.line(Text(section.heading, .strong))
      for command in section.commands {
        let lead = Text("  ") + Text(command.name, .changed).padded(to: width + 2)
        output.wrapped(Text(command.summary), lead: lead)
      }
    }
  }

  /// The subcommands with their headings; those of a family are below the family's own.
  private var sections: [HelpSection] {
    guard commands.count > 1 else { return last.sections }
    return commands[0].sections.filter { section in
      section.commands.contains { $0.name == commands[1].name }
    }.map { HelpSection($0.heading, last.subcommands) }
  }

  private func write(
    _ heading: String, _ declarations: [ParameterDeclaration], to output: Output
  ) {
    guard !declarations.isEmpty else { return }
    output.line()
    output.line(Text(heading, .strong))
    let column = 26
    for declaration in declarations {
      let lead = Text("  ") + Text(declaration.names, .changed) + "  "
      let isWide = lead.width > column
      if isWide { output.line(lead) }
      output.wrapped(Text(declaration.explanation), lead: isWide ? "" : lead, indent: column)
    }
  }

  private func writeExamples(to output: Output) {
    guard !last.examples.isEmpty else { return }
    output.line()
    output.line(Text("Examples", .strong))
    let width = last.examples.map(\.line.count).max() ?? 0
    for example in last.examples {
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

extension ParameterDeclaration {
  /// The name and value in help: `-C DIR`, `-q, --quiet`, or an argument's word.
  var names: String {
    if isArgument { return name }
    let letter = letter.map { "-\($0)" }
    let long = name.isEmpty ? nil : "--" + name
    let value = form == .option ? " \(valueName)" : ""
    return [letter, long].compactMap(\.self).joined(separator: ", ") + value
  }

  /// The description in help, with the choices if it does not name them.
  var explanation: String {
    let isNamed = choices.allSatisfy(help.contains)
    return help + (isNamed ? "" : " (\(choices.joined(separator: ", ")))")
  }
}
