import JSONText
import StoryLibrary

/// The files to write and remove and the programs to run, to set up or end scheduled syncs.
struct ScheduleChange: Sendable {
  var files: [(path: String, text: String)] = []
  var removed: [String] = []
  var commands: [[String]] = []
  /// The new crontab, and its line that comes or goes.
  var crontab: (lines: [ArraySlice<UInt8>], comes: Bool, changed: String)?

  var isEmpty: Bool { files.isEmpty && removed.isEmpty && commands.isEmpty }

  static func += (left: inout ScheduleChange, right: ScheduleChange) {
    left.files += right.files
    left.removed += right.removed
    left.commands += right.commands
    left.crontab = right.crontab ?? left.crontab
  }

  func report(isDryRun: Bool) -> Members {
    [
      "schema": "stories.schedule-change/1", "dryRun": isDryRun,
      "files": files.map { ["path": $0.path, "text": $0.text] as Members },
      "removed": removed, "commands": commands, "crontabLine": crontab?.changed,
    ]
  }

  /// Shows the change, asks on a terminal, and does it.
  ///
  /// - Throws: `ScheduleError.refused` if a program fails; `FileError`; `CancellationError`.
  func carryOut(isDryRun: Bool, _ done: String, _ context: Context) throws -> ExitCode {
    if !context.isJSON { show(context) }
    if !isDryRun {
      let asks = context.isInteractive && !context.global.isConsenting
      guard try !asks || context.confirms("do that", else: "change nothing") else { return .done }
      if files.isEmpty { try end(context) } else { try setUp(context) }
    }
    context.tell(report(isDryRun: isDryRun)) {
      context.output.line(isDryRun ? "Nothing was changed." : Text("\(done)"))
    }
    return .done
  }

  private func show(_ context: Context) {
    for (path, text) in files {
      context.output.line(Text("Writes ") + Text(context.shown(path), .strong))
      for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        context.output.line(Text(line.isEmpty ? "" : "  \(line)", .faint))
      }
    }
    if let crontab {
      context.output.line(
        Text(crontab.comes ? "Adds to your crontab" : "Removes from your crontab"))
      context.output.line(Text("  \(crontab.changed)", .faint))
    }
    for path in removed {
      context.output.line(Text("Removes ") + Text(context.shown(path), .strong))
    }
    for command in commands {
      context.output.line(Text("Runs ") + Text(ShellWord.line(command), .strong))
    }
  }

  /// Writes the files and runs the programs; if one fails, removes the files that are new.
  private func setUp(_ context: Context) throws {
    var created: [String] = []
    do {
      for (path, text) in files {
        if !FileSystem.exists(path) { created.append(path) }
        try FileSystem.makeFolder(Path.parent(path))
        try AtomicFile.write(Array(text.utf8), to: path, mode: 0o644)
      }
      for command in commands { try run(command, context) }
    } catch {
      for path in created { try? FileSystem.remove(path) }
      throw error
    }
  }

  /// Runs all programs and removes all files, then reports the first failure.
  private func end(_ context: Context) throws {
    var failure: (any Error)?
    // A timer is stopped while its file is there.
    for command in commands {
      do { try run(command, context) } catch { if failure == nil { failure = error } }
    }
    for path in removed {
      do { try FileSystem.remove(path) } catch { if failure == nil { failure = error } }
    }
    if let failure { throw failure }
  }

  private func run(_ command: [String], _ context: Context) throws {
    let lines = command.first == "crontab" ? crontab?.lines ?? [] : []
    let input: [UInt8] = lines.flatMap { $0 + [0x0A] }
    let words = ShellWord.line(command)
    do throws(ChildProcess.Failure) {
      let result = try ChildProcess(command, environment: context.childEnvironment).run(
        input: input, seconds: 30, limit: 1 << 20)
      guard result.status != 0 else { return }
    } catch {
      if case .notStarted = error {
        if command.first == "crontab" { throw ProgramError.noCron }
        throw ProgramError.failed(words, reason: "there is no such program")
      }
    }
    throw ProgramError.failed(words, reason: "it failed; run it by hand to see why")
  }
}
