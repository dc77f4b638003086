import JSONText
import StoryLibrary

struct SchemaCommand: Command {
  var kind: RecordKind?
  var editor: EditorSetup.Editor?
  var isDryRun = false

  enum RecordKind: String, ChoiceArgument {
    case hero, event, story

    var kind: EntityKind { EntityKind(named: rawValue) ?? .heroes }
  }

  static let name = "schema"
  static let summary = "Print the JSON Schema of records, or set up an editor with it"
  static let discussion = """
    Prints the schema of a kind (JSON Schema, draft 2020-12), with which editors and other programs \
    complete and check the fields of records.

    --editor writes the schemas to .schemas/ in the library, and lets an editor use them for the files \
    in heroes/, events/ and stories/: Visual Studio Code (.vscode/settings.json), Zed \
    (.zed/settings.json) or Neovim (.nvim.lua). Existing settings and their comments stay; if a file \
    cannot be extended, shows what to add. All these files can be committed. Run it again after an \
    update of stories.

    A record may name its schema itself, as "$schema"; that is never sent.
    """
  static let examples = [
    Example("stories schema hero", "the fields of heroes"),
    Example("stories schema --editor vscode", "complete and check records in Visual Studio Code"),
  ]
  static let parameters: [Parameter<SchemaCommand>] = [
    .argument("KIND", \.kind, help: "The kind of record"),
    .option("editor", value: "EDITOR", \.editor, help: "Set up an editor for the library"),
    .flag("dry-run", \.isDryRun, help: "With --editor: show what would be written"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    if isDryRun, editor == nil { throw UsageError(.missing("--editor", for: "--dry-run")) }
    guard let editor else {
      guard let kind else { throw UsageError(.missingArgument("KIND")) }
      context.output.bytes(RecordSchema(kind: kind.kind).bytes)
      return .done
    }
    guard kind == nil else { throw UsageError(.excluded("KIND", by: "--editor")) }
    let library = try context.library()
    if !isDryRun { try library.checkWritable() }
    let setup = EditorSetup(editor: editor, library: library)
    let files = try setup.run(isDryRun: isDryRun)
    context.tell([
      "schema": "stories.schema/1", "dryRun": isDryRun, "editor": editor.rawValue, "files": files,
    ]) { setup.write(files, isDryRun: isDryRun, context) }
    return files.contains { $0.state == .left } ? .failed : .done
  }
}
