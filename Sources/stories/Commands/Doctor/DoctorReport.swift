import JSONText
import StoryLibrary
import StorySync

struct DoctorReport: Sendable, MemberEncodable {
  let library: Library?
  let health: LibraryHealth?
  let settings: SettingsTable
  /// The server's health, or `nil` if it was not asked.
  let server: ServerHealth?
  let plan: [Repair]
  /// Their results; empty in a dry run.
  let fixed: [(repair: Repair, outcome: LibraryRepairer.Outcome)]
  let isFixing: Bool
  let isDryRun: Bool

  var exitCode: ExitCode {
    .worst([server?.exitCode ?? .done, count(.error) > 0 ? .failed : .done])
  }

  private func count(_ severity: Diagnostic.Severity) -> Int { health?.count(severity) ?? 0 }

  // MARK: JSON

  var members: Members {
    [
      "schema": "stories.doctor/1", "library": library?.root, "dryRun": isDryRun,
      "counts": (health?.counts ?? [:]).inOrder, "findings": health?.diagnostics ?? [],
      "mended": fixed.map { repair, outcome -> Members in
        let (isDone, detail) = outcome.words
        return ["repair": repair.words, "done": isDone, "detail": detail]
      },
      "plan": (isDryRun ? plan : health?.repairs ?? []).map(\.words),
      "state": health.map { health -> Members in
        let state = health.state
        return [
          "runs": state.runs, "runBytes": state.runBytes, "openEntries": state.openEntries,
          "failures": state.failures, "holder": state.holder, "git": health.isInGit,
        ]
      }, "settings": settings.rows, "server": server,
    ]
  }

  // MARK: Text

  func write(_ context: Context) {
    let output = context.output
    writeRepaired(to: output)
    if let library, let health {
      output.line(Text("Library", .strong))
      for diagnostic in health.diagnostics { write(diagnostic, of: library, context) }
      if health.diagnostics.isEmpty { output.line(Text("  ") + Text("No problems.", .good)) }
      writeFigures(health, to: output)
      output.line()
    }
    output.line(Text("Settings", .strong))
    settings.write(to: output)
    output.line()
    if let server {
      output.line(Text("Server", .strong) + Text("  \(server.server)", .faint))
      server.write(to: output, context)
      output.line()
    }
    output.line(context.runnable(summary))
  }

  private func writeRepaired(to output: Output) {
    guard isFixing else { return }
    if plan.isEmpty {
      output.line("Nothing can be repaired without a decision.")
    } else if isDryRun {
      output.line(Text("Would be repaired", .strong))
      for repair in plan { output.wrapped(Text(repair.words), lead: "  ") }
    } else {
      output.line(Text("Repaired", .strong))
      for (repair, outcome) in fixed {
        let (isDone, detail) = outcome.words
        output.wrapped(
          Text(repair.words + (detail.map { ": \($0)" } ?? "")),
          lead: isDone ? Text("  ✓ ", .good) : Text("  ! ", .warning))
      }
    }
    output.line()
  }

  private func write(_ diagnostic: Diagnostic, of library: Library, _ context: Context) {
    let output = context.output
    var text = Text("")
    switch diagnostic.severity {
    case .error: text.append("error", .error)
    case .warning: text.append("warning", .warning)
    case .note: text.append("note", .faint)
    }
    text += "  "
    if let file = diagnostic.file {
      let place = Phrases.place(context.shown(file, in: library), diagnostic.position)
      text += Text(place + ": ", .strong)
    }
    output.wrapped(text + Text(diagnostic.message), lead: "  ")
    if let outlook = diagnostic.outlook { output.wrapped(Text(outlook, .faint), lead: "      → ") }
    if let hint = diagnostic.hint.map({ context.shown(hint: $0, in: library) }) {
      output.wrapped(Text("Hint: \(hint)", .faint), lead: "      ")
    }
    if diagnostic.repair != nil { output.line(Text("      → --fix repairs it", .faint)) }
  }

  private func writeFigures(_ health: LibraryHealth, to output: Output) {
    let refs = health.counts.values.reduce(0, +)
    var parts = [Phrases.count(refs, "record")]
    parts.append(
      "\(Phrases.count(health.state.runs, "run")) kept, \(Self.size(health.state.runBytes))")
    parts.append(health.isInGit ? "in a git repository" : "not in a git repository")
    output.wrapped(Text(parts.joined(separator: "; "), .faint), lead: "  ")
  }

  private static func size(_ bytes: Int) -> String {
    bytes < 1_024 ? "\(bytes) bytes" : bytes < 1 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
  }

  private var summary: Text {
    let errors = count(.error)
    let warnings = count(.warning)
    guard errors + warnings > 0 || server?.failure != nil else {
      return library == nil
        ? Text("No library here: `stories init` creates one.")
        : Text("No problems found.", .good)
    }
    var parts: [String] = []
    if errors > 0 { parts.append(Phrases.count(errors, "error")) }
    if warnings > 0 { parts.append(Phrases.count(warnings, "warning")) }
    if server?.failure != nil { parts.append("a server problem") }
    var text = Text("Found \(Phrases.list(parts)).")
    let open = health?.repairs.count ?? 0
    if open > 0, !isFixing || isDryRun {
      text += " \(Phrases.count(open, "thing")) can be repaired: stories doctor --fix"
    }
    return text
  }
}
