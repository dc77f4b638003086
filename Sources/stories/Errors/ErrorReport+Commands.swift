import StoryLibrary
import StorySync

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension ErrorReport {
  /// A command line that asks for something that cannot be.
  init(_ error: CommandError, in context: Context) {
    switch error {
    case .noSuchFolder(let path):
      self.init("no-folder", "there is no folder \(path)", exitCode: .wrongUsage)
    case .noSuchRecord(let word, let noun, let nearest):
      self.init(
        "no-record", "there is no \(noun) “\(word)” in this library",
        hint: nearest.map { "did you mean \($0)?" } ?? "see what is there: stories list",
        exitCode: .wrongUsage)
    case .readOnly(let ref): self.init(EditError.readOnly(ref))
    case .ambiguousName(let word, let refs):
      self.init(
        "ambiguous-name", "“\(word)” can be \(Self.list(refs))",
        hint: "write the name with its kind, such as \(refs.first?.description ?? word)",
        exitCode: .wrongUsage)
    case .severalRecords(let word, let count):
      self.init(
        "several-records", "“\(word)” names \(count) records, and one is wanted",
        hint: "see which: stories list", exitCode: .wrongUsage)
    case .outsideLibrary(let path, let root):
      self.init(
        "outside-library", "\(path) is no record of the library in \(context.shown(root))",
        exitCode: .wrongUsage)
    case .nameTaken(let ref, let path):
      self.init(
        "name-taken", "there is a \(ref.kind.schema.noun) with this name already: \(path)",
        hint: "choose another name, or change that one", exitCode: .wrongUsage)
    case .nameOfDeleted(let ref):
      self.init(
        "name-of-deleted", "\(ref) was deleted here, and the server does not know yet",
        hint: "choose another name, or send the delete first: stories sync push",
        exitCode: .wrongUsage)
    case .badName(let name, let what):
      self.init("bad-name", "“\(name)” cannot be \(what)", exitCode: .wrongUsage)
    case .heroNeeded(let choices):
      self.init(
        "hero-needed",
        choices.isEmpty
          ? "a story needs a hero, and there is none yet"
          : "a story needs a hero: name one of \(Self.list(choices))",
        hint: choices.first.map { "add --hero \($0.name)" } ?? "make one: stories new hero NAME",
        exitCode: .wrongUsage)
    case .badRecord(let problem):
      self.init(
        "bad-record", problem.message, hint: problem.hint ?? "nothing was written",
        exitCode: .wrongUsage)
    case .folderInUse(let path):
      self.init(
        "folder-in-use", "there is something in \(context.shown(path)) already",
        hint: "name a folder that is empty or not there", exitCode: .wrongUsage)
    case .noServer:
      self.init(
        "no-server", "no server is named, and there is no library here that names one",
        hint: "name it: --server URL", exitCode: .wrongUsage)
    case .embeddedHasNoAccounts:
      self.init(
        "no-account", "the embedded server needs no account",
        hint: "name another server: --server URL", exitCode: .wrongUsage)
    case .noConfigurationFolder:
      self.init(
        "no-configuration", "there is no home folder to keep sessions in",
        hint: "name one: STORIES_CONFIG_DIR=/path/to/folder", exitCode: .wrongUsage)
    case .noPassword(let isTerminal):
      self.init(
        "no-password",
        isTerminal ? "no password was given" : "there is no terminal to ask for the password on",
        hint: isTerminal ? nil : "pipe it in: --password-stdin", exitCode: .wrongUsage)
    case .passwordsDiffer:
      self.init(
        "passwords-differ", "the two passwords are not the same", exitCode: .wrongUsage)
    case .outputFailed(let code):
      self.init(
        "output", "the results could not be written", causes: [String(cString: strerror(code))],
        exitCode: .failed)
    }
  }

  /// The first few records, with the number of the others.
  private static func list(_ refs: [RecordRef]) -> String {
    let shown = refs.prefix(5).map(\.description).joined(separator: ", ")
    return refs.count > 5 ? "\(shown) and \(refs.count - 5) more" : shown
  }
}
