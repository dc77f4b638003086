import JSONText

extension CommandPath {
  /// Writes the help of the command, as `stories help` and `--help` show it.
  func writeHelp(to output: Output) {
    output.wrapped(Text(last.summary, .strong))
    output.line()
    output.filled(helpSynopsis, lead: "Usage: ")
    for paragraph in paragraphs {
      output.line()
      output.wrapped(Text(paragraph))
    }
    writeSubcommands(to: output)
    for (heading, declarations) in parameterSections {
      let rows = declarations.map {
        (lead: Text("  ") + Text($0.names, .changed) + "  ", text: $0.explanation)
      }
      Self.write(heading, rows, column: 26, to: output)
    }
    let width = last.examples.map(\.line.count).max() ?? 0
    let examples = last.examples.map { (lead: Text("  \($0.line)", .changed), text: $0.purpose) }
    Self.write("Examples", examples, column: width > 44 ? 6 : width + 4, to: output)
    output.line()
    output.line(
      commands.count == 1
        ? "Run `stories help COMMAND` for help on one command."
        : "Run `stories help` for the options of all commands.")
  }

  /// The paragraphs of the discussion, each in one line.
  var paragraphs: [String] {
    last.discussion.split(separator: "\n\n").map {
      $0.split(separator: "\n").joined(separator: " ")
    }
  }

  /// The parameters below their headings, without empty sections.
  var parameterSections: [(heading: String, declarations: [ParameterDeclaration])] {
    var sections = [("Arguments", last.arguments), ("Options", last.options)]
    if commands.count == 1 {
      sections.append(("Options of all commands", GlobalOptions.declarations))
    }
    return sections.filter { !$0.1.isEmpty }
  }

  private func writeSubcommands(to output: Output) {
    let width = last.subcommands.map { $0.name.count }.max() ?? 0
    for section in sections {
      let rows = section.commands.map {
        (lead: Text("  ") + Text($0.name, .changed), text: $0.summary)
      }
      Self.write(section.heading, rows, column: width + 4, to: output)
    }
  }

  /// The subcommands with their headings; those of a family are below the family's own.
  private var sections: [HelpSection] {
    guard commands.count > 1 else { return last.sections }
    return commands[0].sections.filter { section in
      section.commands.contains { $0.name == commands[1].name }
    }.map { HelpSection($0.heading, last.subcommands) }
  }

  /// Writes texts below a heading, from a column on. A lead that reaches beyond it has its own line.
  private static func write(
    _ heading: String, _ rows: [(lead: Text, text: String)], column: Int, to output: Output
  ) {
    guard !rows.isEmpty else { return }
    output.line()
    output.line(Text(heading, .strong))
    for (lead, text) in rows {
      let isWide = lead.width > column
      if isWide { output.line(lead) }
      output.wrapped(Text(text), lead: (isWide ? "" : lead).padded(to: column))
    }
  }

  // MARK: Usage

  /// The synopsis: `stories sync [push|pull] [--dry-run] [--strategy S]`.
  private var synopsis: [Text] {
    [Text(text, .strong)] + last.arguments.map { Text(Self.argument($0)) }
      + last.options.map { Text("[\(Self.option($0))]") }
      + (last.subcommands.isEmpty ? [] : ["COMMAND …"])
  }

  /// The synopsis in help, with options of all commands for the program itself.
  var helpSynopsis: [Text] {
    commands.count > 1
      ? synopsis : [Text(text, .strong), "[-C DIR]", "[--json]", "[--quiet]", "COMMAND …"]
  }

  /// Writes the usage, which is shown after an invalid command line.
  func writeUsage(to output: Output) {
    output.filled(synopsis, lead: "Usage: ")
    let words = commands.dropFirst().map { $0.name }
    if last.subcommands.isEmpty {
      output.line("       stories help \(words.joined(separator: " "))")
    } else {
      let names = last.subcommands.map { Text($0.name) }
      output.wrapped(names.joined(", "), lead: "Commands: ")
      let command = (words + ["COMMAND"]).joined(separator: " ")
      output.line("See `stories help`, or `stories help \(command)`")
    }
  }

  private static func argument(_ declaration: ParameterDeclaration) -> String {
    var text = declaration.choices.isEmpty ? declaration.name : declaration.valueText
    if text.isEmpty { text = declaration.name }
    if declaration.isRepeatable { text += "…" }
    return declaration.isRequired ? text : "[\(text)]"
  }

  private static func option(_ declaration: ParameterDeclaration) -> String {
    let value = declaration.form == .option ? " \(declaration.valueText)" : ""
    return declaration.spelling + value + (declaration.isRepeatable ? " …" : "")
  }

  // MARK: JSON

  /// The help of the command and of all commands below it, as `stories.help/1`.
  var table: Members {
    [
      "schema": "stories.help/1", "commands": andAllBelow.map(\.members),
      "options": GlobalOptions.declarations.map(Self.members),
    ]
  }

  private var members: Members {
    [
      "command": text, "summary": last.summary, "discussion": last.discussion,
      "arguments": last.arguments.map(Self.members), "options": last.options.map(Self.members),
      "examples": last.examples.map { ["line": $0.line, "purpose": $0.purpose] as Members },
    ]
  }

  private static func members(of declaration: ParameterDeclaration) -> Members {
    let option: Members = [
      "letter": declaration.letter.map { "-\($0)" },
      "value": declaration.form == .option ? declaration.valueName : nil,
    ]
    return ["name": declaration.spelling] + (declaration.isArgument ? [:] : option)
      + [
        "help": declaration.help, "choices": declaration.choices,
        "required": declaration.isRequired, "repeatable": declaration.isRepeatable,
      ]
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
    return help + (isNamed ? "" : " (one of \(choices.joined(separator: ", ")))")
  }
}
