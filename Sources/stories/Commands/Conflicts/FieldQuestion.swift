import JSONText
import StoryLibrary
import StorySync

/// Asks for the value of one field in conflict.
struct FieldQuestion: Sendable {
  /// A person's answer.
  enum Answer: Sendable {
    case choice(ConflictResolver.Choice)
    case later
    case leave
  }

  let context: Context
  let field: ConflictResolver.Field
  let draft: ConflictDraft
  let sides: (local: String, server: String)

  /// Asks until there is an answer.
  ///
  /// - Throws: `CancellationError`; `FileError` if a text for the editor cannot be written.
  func ask() throws -> Answer {
    let both = field.both
    var answers = [
      KeyPrompt.Answer("l", "local", "[l]ocal", "the whole of \(sides.local)"),
      .init("s", "server", "[s]erver", "the whole of \(sides.server)"),
    ]
    if both != nil {
      let explanation =
        field.field.merge == .lines
        ? "the changes of both; if they conflict, the local lines and then the server's"
        : "the changes of both"
      answers.append(.init("b", "both", "[b]oth", explanation))
    }
    answers += [.init("e", "edit", "[e]dit", "write it in your editor"), .later, .leave]
    var draft = DraftFile(context: context, draft: draft)
    defer { draft.finish() }
    while true {
      switch try KeyPrompt(context: context, answers: answers).ask() {
      case "l": return .choice(.local)
      case "s": return .choice(.server)
      case "b":
        if let both { return .choice(.values([field.field.wireKey: both])) }
      case "e":
        if let values = try edit(&draft) { return .choice(.values(values)) }
      case "n": return .later
      default: return .leave
      }
    }
  }

  /// Lets the person write the value; returns `nil` if that does not resolve the field.
  private func edit(_ draft: inout DraftFile) throws -> [String: JSONValue]? {
    let reading: ConflictDraft.Reading
    do {
      reading = try draft.edit()
    } catch let error as ProgramError {
      ErrorReport(error).write(to: context.errors)
      return nil
    }
    for (_, problem) in reading.problems {
      context.output.line(Text("Not yet: ", .warning) + Text(problem.message))
      if let hint = problem.advice { context.output.line(Text("Hint: ", .strong) + Text(hint)) }
    }
    if !reading.open.isEmpty {
      context.output.line(
        Text("Not yet: ", .warning) + "a line with <<<<<<<, =======, or >>>>>>> is left")
    }
    return reading.values.isEmpty ? nil : reading.values
  }
}
