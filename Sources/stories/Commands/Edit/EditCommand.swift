import StoryLibrary
import StorySync

/// `stories edit`: opens a record in an editor and then checks it.
struct EditCommand: Command {
  var word = ""

  static let name = "edit"
  static let summary = "Edit a record in your editor, and check it"
  static let section = HelpSection.records
  static let discussion = """
    Uses the editor in VISUAL or EDITOR, or vi. When you close it, the record is checked as by \
    `stories check`; exits with 1 if it has a problem.
    """
  static let examples = [
    Example("stories edit luna", "a hero"),
    Example("EDITOR='code --wait' stories edit first-snow", "with another editor"),
  ]
  static let parameters: [Parameter<EditCommand>] = [
    .argument("REF", \.word, help: "The record", completion: .record)
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let library = try context.library()
    let scan = try context.scan(library)
    let ref = try RefResolver(scan, of: library, context: context).record(word)
    let path = library.path(ref.path)
    guard FileSystem.exists(path) else {
      throw CommandError.nameOfDeleted(ref)
    }
    let before = try? FileSystem.read(path)
    try Editor(context).open(path.text)
    let isChanged = (try? FileSystem.read(path)) != before
    let after = try context.scan(library)
    let problems = RecordProblems(after, of: library).problems(of: [ref])
    context.tell(Report(ref: ref, changed: isChanged, problems: problems)) {
      for problem in problems {
        ProblemText(problem, in: library, context: context).write(to: context.output)
      }
      if problems.isEmpty {
        context.note(Text(isChanged ? "\(ref): no problems." : "\(ref) was not changed.", .faint))
      }
    }
    return problems.contains { $0.severity == .error } ? .failed : .done
  }

  private struct Report: Encodable {
    let schema = "stories.edit/1"
    var ref: RecordRef
    var changed: Bool
    var problems: [Problem]
  }
}
