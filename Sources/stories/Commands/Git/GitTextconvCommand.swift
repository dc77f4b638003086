import JSONText
import StoryLibrary

struct GitTextconvCommand: Command {
  var file = ""

  static let name = "textconv"
  static let summary = "Print a record as text, called by git"
  static let discussion = """
    Prints the fields in their order, and prose as paragraphs. What is no record is printed as it is.
    """
  static let examples = [Example("stories git textconv stories/first-snow.json", "as git shows it")]
  static let parameters: [Parameter<GitTextconvCommand>] = [
    .argument("FILE", \.file, help: "The record's file", completion: .record)
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let bytes = try FileSystem.read(
      Path.absolute(file, in: context.folder), limit: JSONDocument.maximumSize)
    context.output.bytes(RecordProse.text(of: bytes))
    return .done
  }
}
