import JSONText
import StoryLibrary
import StorySync

struct GitSetupCommand: Command {
  var wantsHooks = false
  var removes = false
  var isDryRun = false

  static let name = "setup"
  static let summary = "Set up this repository to merge and show records"
  static let discussion = """
    Writes .gitattributes next to library.json, which you commit for everyone, and registers \
    programs in this clone's own configuration: branches then merge records field by field and \
    prose line by line, sidecars merge automatically, and `git diff` shows records as text. Each \
    other clone runs the same command once; without it, git merges lines as usual.

    --hooks adds a pre-commit hook that checks what is staged (`stories check --staged`), and \
    hooks that print what is pending after a merge or a checkout. Existing hooks get additional \
    lines; core.hooksPath is respected.

    Running it again changes nothing, or updates the setup if the program was moved. --remove \
    undoes it: files that existed before get back their exact content. The drivers stay while \
    another library of the repository, or another working tree, uses them. Exits with 1 if a hook \
    could not be changed, or if git does not report who else uses the drivers.
    """
  static let examples = [
    Example("stories git setup --hooks", "all of it"),
    Example("stories git setup --dry-run", "show what would change"),
    Example("stories git setup --remove", "undo it"),
  ]
  static let parameters: [Parameter<GitSetupCommand>] = [
    .flag("hooks", \.wantsHooks, help: "Add hooks too"),
    .flag("remove", \.removes, help: "Undo the setup"),
    .flag("dry-run", \.isDryRun, help: "Show what would change, without changing it"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    if removes, wantsHooks { throw UsageError(.excluded("--hooks", by: "--remove")) }
    let library = try context.library()
    let drivers = GitDrivers(program: context.programPath, path: context.environment["PATH"] ?? "")
    let setup = try GitSetup(library, drivers: drivers)
    let plan = try removes ? setup.removalPlan() : setup.plan(hooks: wantsHooks)
    if !isDryRun { try setup.apply(plan) }
    context.tell([
      "schema": "stories.git-setup/1", "dryRun": isDryRun, "removed": removes,
      "changes": plan.steps.map(Self.members),
      "skipped": plan.refusals.map { refusal -> Members in
        [
          "hook": refusal.hook.rawValue, "file": refusal.path, "reason": refusal.reason.words,
        ]
      }, "driversUsedBy": plan.users,
    ]) { write(plan, context) }
    return plan.refusals.isEmpty && plan.users != nil ? .done : .failed
  }

  private static func members(of step: GitSetup.Step) -> Members {
    switch step.part {
    case .file(let path, _, _): ["file": path, "change": step.change.rawValue]
    case .setting(let key, let value):
      ["setting": key, "change": step.change.rawValue, "value": value]
    }
  }

  private func write(_ plan: GitSetup.Plan, _ context: Context) {
    let output = context.output
    for refusal in plan.refusals {
      context.errors.line(
        Text("\(context.shown(refusal.path)): ", .strong) + Text("left as it is: ", .warning)
          + Text(refusal.reason.words))
      if refusal.hook == .preCommit { context.aside("  Hint: let it run `stories check --staged`") }
    }
    if plan.users == nil {
      context.errors.line(
        Text("The merge drivers stay, for git does not say who uses them. ", .warning)
          + "Look what `git status` says, then do it again")
    }
    if let users = plan.users, !users.isEmpty {
      let users = users.map(context.shown).joined(separator: ", ")
      context.note("The merge drivers stay, for others use them: \(users)")
    }
    guard !plan.steps.isEmpty else {
      if plan.refusals.isEmpty, plan.users?.isEmpty ?? false {
        output.line(removes ? "Nothing of it is set up." : "All of it is set up already.")
      }
      return
    }
    output.line(Text(isDryRun ? "Would change:" : "Changed:", .strong))
    var table = Table()
    for step in plan.steps {
      let style: Style = step.change == .removed ? .removed : .added
      let name =
        switch step.part {
        case .file(let path, _, _): context.shown(path)
        case .setting(let key, _): "git config \(key)"
        }
      table.add(Text(step.change.rawValue, style), Text(name))
    }
    table.write(to: output)
    let isNew = plan.steps.contains {
      if case .file(let path, nil, _) = $0.part { path.hasSuffix(".gitattributes") } else { false }
    }
    if isNew, !isDryRun, !removes {
      context.aside("Commit .gitattributes, so that other clones use it.")
    }
  }
}

extension GitSetup.Refusal.Reason {
  fileprivate var words: String {
    switch self {
    case .sharedFolder: "core.hooksPath names a folder that other repositories use as well"
    case .link: "it is a symbolic link"
    case .notAFile: "it is no file"
    case .notExecutable: "it is not executable, so git does not run it"
    case .notAShellScript: "it is no shell script"
    }
  }
}
