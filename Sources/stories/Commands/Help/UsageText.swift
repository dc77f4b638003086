/// The usage lines of a command, shown after an invalid command line.
struct UsageText: Sendable {
  private let path: CommandPath

  init(_ path: CommandPath) { self.path = path }

  /// The synopsis: `stories sync [push|pull] [--dry-run] [--strategy S]`.
  var synopsis: [Text] {
    var parts = [Text(path.text, .strong)]
    let declarations = path.last.declarations
    parts += declarations.filter(\.isArgument).map { Text(Self.argument($0)) }
    parts += declarations.filter { !$0.isArgument }.map { Text("[\(Self.option($0))]") }
    if !path.last.subcommands.isEmpty { parts.append("COMMAND …") }
    return parts
  }

  func write(to output: Output) {
    output.filled(synopsis, lead: "Usage: ")
    if path.last.subcommands.isEmpty {
      output.line("       stories help \(Self.words(of: path))")
    } else {
      let names = path.last.subcommands.map { Text($0.name) }
      output.wrapped(names.joined(", "), lead: "Commands: ")
      let command = path.commands.count > 1 ? Self.words(of: path) + " COMMAND" : "COMMAND"
      output.line("See `stories help`, or `stories help \(command)`")
    }
  }

  private static func words(of path: CommandPath) -> String {
    path.commands.dropFirst().map { $0.name }.joined(separator: " ")
  }

  static func argument(_ declaration: ParameterDeclaration) -> String {
    var text = declaration.choices.isEmpty ? declaration.name : declaration.valueText
    if text.isEmpty { text = declaration.name }
    if declaration.isRepeatable { text += "…" }
    return declaration.isRequired ? text : "[\(text)]"
  }

  static func option(_ declaration: ParameterDeclaration) -> String {
    let value = declaration.form == .option ? " \(declaration.valueText)" : ""
    return declaration.spelling + value + (declaration.isRepeatable ? " …" : "")
  }
}
