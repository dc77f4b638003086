extension CommandPath {
  /// The synopsis: `stories sync [push|pull] [--dry-run] [--strategy S]`.
  var synopsis: [Text] {
    let declarations = last.declarations
    return [Text(text, .strong)] + declarations.filter(\.isArgument).map { Text(Self.argument($0)) }
      + declarations.filter { !$0.isArgument }.map { Text("[\(Self.option($0))]") }
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
}
