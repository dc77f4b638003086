import JSONText

/// Runs a command line in a context, and returns the exit code.
struct Program: Sendable {
  var root: any Command.Type = StoriesCommand.self
  /// Whether the arguments came as valid UTF-8. What was repaired would be another name or another text.
  var argumentsAreText = true

  /// Runs a command line (without the program's name) and writes its result or error.
  func run(_ arguments: [String], in context: Context) async -> ExitCode {
    var context = context
    context.arguments = arguments
    do {
      // Git passes the paths of files that are no records, only to name them.
      guard argumentsAreText || arguments.first == GitCommand.name else {
        throw UsageError(.notUTF8(arguments.first { $0.contains("\u{FFFD}") } ?? ""))
      }
      let code: ExitCode
      switch try CommandParser(root: root).parse(arguments) {
      case .help(let path, var global):
        // The folder does not matter, and need not exist.
        global.folder = nil
        context = try context.applying(global)
        code = try await context.paged { [context] in
          context.tell(path.table) { path.writeHelp(to: context.output) }
          return .done
        }
      case .version(let global):
        context = try context.applying(global)
        let report: Members = [
          "schema": "stories.version/1", "version": ProgramVersion.text,
          "commit": ProgramVersion.commit, "date": ProgramVersion.date,
        ]
        context.tell(report) { context.output.line(Text(ProgramVersion.line)) }
        code = .done
      case .run(let command, let path, let global):
        context = try context.applying(global)
        try Settings.check(flags: global.settings)
        code =
          type(of: command).isPaged
          ? try await context.paged { [context] in try await run(command, path, context) }
          : try await run(command, path, context)
      }
      let sink = context.output.sink
      sink.flush()
      // A closed pipe is not an error.
      if let failure = sink.failure, !sink.isReaderGone {
        throw CommandError.outputFailed(code: failure)
      }
      return code
    } catch {
      context.global.isJSON = context.global.isJSON || CommandParser.asksForJSON(arguments)
      return report(error, context)
    }
  }

  /// Runs a command, and adds the command's name to usage errors that it throws.
  private func run(
    _ command: any Command, _ path: CommandPath, _ context: Context
  ) async throws -> ExitCode {
    do {
      return try await command.run(context)
    } catch let error as UsageError {
      throw error.located(in: path)
    }
  }

  /// Writes an error as text, and with `--json` as a document if none was written yet.
  private func report(_ error: any Error, _ context: Context) -> ExitCode {
    let report = ErrorReport(error, in: context)
    if context.isJSON, !context.output.sink.hasWritten { context.output.json(report.json) }
    context.output.sink.flush()
    report.write(to: context.errors)
    return report.exitCode
  }
}
