import JSONText

struct EnginePromptsCommand: Command {
  var name: Prompts.Name?

  static let name = "prompts"
  static let summary = "Print the prompts for engines"
  static let discussion = """
    A prompt can be changed: put your own text into prompts/NAME.txt in your configuration folder. \
    {{name}} and the like stand for what the records say; a line whose value is empty is left out.
    """
  static let examples = [
    Example("stories engine prompts", "all of them, and where your own would be"),
    Example("stories engine prompts story", "one, to be changed and kept as prompts/story.txt"),
  ]
  static let parameters: [Parameter<EnginePromptsCommand>] = [
    .argument("NAME", \.name, help: "Print only the text of this prompt")
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let prompts = Prompts(folder: context.promptFolder)
    if let name, !context.isJSON {
      context.output.bytes(Array(try prompts.template(name).text.utf8))
      return .done
    }
    let names = name.map { [$0] } ?? Prompts.Name.allCases
    let texts = try names.map { ($0, try prompts.template($0)) }
    let report: Members = [
      "schema": "stories.engine-prompts/1",
      "prompts": texts.map { name, template -> Members in
        [
          "name": name.rawValue, "text": template.text, "isOwn": template.isOwn,
          "file": prompts.path(name), "values": Prompts.words(name),
        ]
      },
    ]
    context.tell(report) {
      for (place, (name, template)) in texts.enumerated() {
        if place > 0 { context.output.line() }
        let file = prompts.path(name).map(context.shown) ?? "prompts/\(name.rawValue).txt"
        let whose = template.isOwn ? "yours, from \(file)" : "built in; yours would be \(file)"
        context.output.line(Text(name.rawValue, .strong) + Text("  (\(whose))", .faint))
        context.output.line()
        context.output.bytes(Array(template.text.utf8))
      }
    }
    return .done
  }
}
