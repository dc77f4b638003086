import JSONText
import StoryLibrary
import StoryMerge
import StorySync

struct GitCommand: CommandFamily {
  static let name = "git"
  static let summary = "Let git merge, show and check records"
  static let discussion = "You only need `stories git setup`; git calls the others."
  static let subcommands: [any Command.Type] = [
    GitSetupCommand.self, GitMergeRecordCommand.self, GitMergeSidecarCommand.self,
    GitTextconvCommand.self, GitHookCommand.self,
  ]
}

/// The arguments with which git calls a merge driver.
private let callDiscussion = """
  Git calls this with the words of its merge drivers: %O %A %B %P, then the size of a marker (%L) and \
  the names of the versions (%S %X %Y) where it knows them. The result is written into the second \
  file. Exits with 0, or with 1 if a person has to decide.
  """

struct GitMergeRecordCommand: Command {
  var words: [String] = []

  static let name = "merge-record"
  static let summary = "Merge a record, called by git"
  static let discussion =
    """
    Merges field by field, as a sync does: fields that one side changed, lists and counts of both, \
    prose line by line. Only conflicting parts get git's markers; everything else is merged, in the \
    layout of our side. Text that is not a record is merged by `git merge-file`.


    """ + callDiscussion
  static let parameters: [Parameter<GitMergeRecordCommand>] = [
    .arguments("WORD", \.words, help: "BASE OURS THEIRS PATH [SIZE [LABELS…]]")
  ]

  func run(_ context: Context) async throws -> ExitCode {
    try context.merge(words) { try $0.mergeRecord() }
  }
}

struct GitMergeSidecarCommand: Command {
  var words: [String] = []

  static let name = "merge-sidecar"
  static let summary = "Merge a sidecar, called by git"
  static let discussion =
    """
    If both sidecars are of one record, the newer one is kept. If they are of two records, that is a \
    conflict; `stories resolve` chooses one.


    """ + callDiscussion
  static let parameters: [Parameter<GitMergeSidecarCommand>] = [
    .arguments("WORD", \.words, help: "BASE OURS THEIRS PATH [SIZE [LABELS…]]")
  ]

  func run(_ context: Context) async throws -> ExitCode {
    try context.merge(words) { try $0.mergeSidecar() }
  }
}

extension Context {
  fileprivate func merge(
    _ words: [String], _ merge: (MergeDriver) throws -> MergeDriver.Result
  ) throws -> ExitCode {
    guard let call = MergeCall(words, in: folder) else {
      throw UsageError(.missing("BASE OURS THEIRS PATH", for: "the merge"))
    }
    let result = try merge(MergeDriver(call))
    if let message = result.message(call.path) { note(Text("stories: \(message)")) }
    return ExitCode(rawValue: result.exitCode) ?? .wrongUsage
  }
}

extension MergeDriver.Result {
  /// The message for a person, or `nil` if git's own is enough.
  fileprivate func message(_ path: String) -> String? {
    switch self {
    case .merged, .mergedLines, .failed: nil
    case .conflict(let keys): "\(path): both sides changed \(keys.joined(separator: ", "))"
    case .twoRecords(let ours?, let theirs?):
      "\(path): the sides name two records of the server, \(ours) and \(theirs)"
    case .twoRecords: "\(path): the sides are two different records"
    }
  }
}

struct GitTextconvCommand: Command {
  var file = ""

  static let name = "textconv"
  static let summary = "Print a record as text, called by git"
  static let discussion = """
    Prints the fields in their order, and prose as paragraphs. Anything else is printed as it is.
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

struct GitHookCommand: Command {
  enum Hook: String, ChoiceArgument {
    case postMerge = "post-merge"
    case postCheckout = "post-checkout"
  }

  var hook = Hook.postMerge
  var words: [String] = []

  static let name = "hook"
  static let summary = "Say what is pending, called by git's hooks"
  static let discussion = """
    Prints what is pending or missing, if anything. It never fails, so that it never blocks git, and \
    prints nothing during a rebase.
    """
  static let parameters: [Parameter<GitHookCommand>] = [
    .argument("HOOK", \.hook, help: "post-merge or post-checkout"),
    .arguments("WORD", \.words, help: "The hook's arguments"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    guard let library = try? context.library(), let repository = GitRepository(library),
      !repository.isRebasing, let scan = try? context.scan(library)
    else { return .done }
    let report = StatusReport(scan, of: library)
    guard report.isPending else { return .done }
    context.note(Text("stories: ", .strong) + report.summary)
    context.aside("  Hint: see which: stories status")
    return .done
  }
}
