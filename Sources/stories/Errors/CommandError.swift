import Foundation
import StoryAPI
import StoryLibrary
import StorySync

/// The reason why a command cannot do what its command line requests.
enum CommandError: Error, Sendable, Equatable {
  case noSuchFolder(String)
  /// A word matches no record; `nearest` may have been meant.
  case noSuchRecord(String, noun: String, nearest: RecordRef?)
  /// A word is the path of a file of the library that is not a record's; `nearest` has its name.
  case notARecord(String, nearest: RecordRef?)
  /// A word matches a record of another kind than the command takes.
  case otherKind(String, RecordRef, noun: String)
  /// A word matches a record whose file was removed.
  case removed(RecordRef)
  /// A word matches only records that are missing together with their sidecars.
  case missing([RecordRef])
  /// A word matches a folder of which runs only kept deleted records.
  case onlyDeleted([RecordRef])
  /// A word matches a folder that cannot be read, or something in it.
  case cannotBeRead(Problem)
  case readOnly(RecordRef)
  case ambiguousName(String, [RecordRef])
  case severalRecords(String, count: Int)
  case outsideLibrary(String, root: String)
  case nameTaken(RecordRef, path: String)
  /// A new record has the name of a locally deleted one that the server still has.
  case nameOfDeleted(RecordRef)
  /// A name without a letter or digit for a file name, or an invalid folder.
  case badName(String, what: String)
  /// A story needs a hero; `choices` are the local ones.
  case heroNeeded(choices: [RecordRef])
  /// A word that states no field of a kind; `nearest` may have been meant.
  case badField(String, EntityKind, nearest: String?)
  case badRecord(Problem)
  case folderInUse(String)
  /// The folder of a new library is that of a kind of another one.
  case insideRecords(String, library: String)
  case noServer
  case embeddedHasNoAccounts
  /// Nobody is signed in to a server outside of any library.
  case notSignedIn(server: String)
  /// A library that this user has not created, cloned or signed in to would use the user's session.
  case unknownLibrary(root: String, server: String, account: String)
  case noConfigurationFolder
  /// `--allow-plain-http` for a server that does not use plain http.
  case nothingToAllow(String)
  /// No password was typed, or there is no terminal to ask on.
  case noPassword(isTerminal: Bool)
  case accountTaken(String)
  /// The server takes no more passwords for this account until some time, if it says so.
  case tooManyAttempts(String, wait: Duration?)
  case wrongNameOrPassword
  case noToken
  /// An engine's key should come from standard input, but there is none.
  case noKey
  case passwordsDiffer
  case outputFailed(code: Int32)
}

extension ErrorReport {
  init(mapping error: CommandError, in context: Context) {
    switch error {
    case .noSuchFolder(let path):
      self.init("no-folder", "there is no folder \(path)", exitCode: .wrongUsage)
    case .noSuchRecord(let word, let noun, let nearest):
      self.init(
        "no-record", "there is no \(noun) “\(word)” in this library",
        hint: nearest.map { "did you mean \($0)?" } ?? "list all records: stories list",
        exitCode: .wrongUsage)
    case .notARecord(let word, let nearest):
      let folders = EntityKind.writable.map { $0.folder + "/" }
      self.init(
        "no-record", "\(word) is not a record: records are .json files in \(Phrases.list(folders))",
        hint: nearest.map { "did you mean \($0)?" }
          ?? "to make records of files: stories import FILE",
        exitCode: .wrongUsage)
    case .otherKind(let word, let ref, let noun):
      self.init(
        "no-record", "there is no \(noun) “\(word)” in this library",
        hint: "\(ref) is \(ref.kind.schema.nounWithArticle)", exitCode: .wrongUsage)
    case .removed(let ref): self.init(EditError.removed(ref))
    case .missing(let refs): self.init(missing: refs)
    case .cannotBeRead(let problem):
      self.init(
        "unreadable", "\(problem.file): \(problem.message)", hint: problem.advice,
        exitCode: .failed)
    case .onlyDeleted(let refs):
      self.init(
        "only-deleted",
        "no record to restore in this folder: only deleted ones were kept (\(refs.listed()))",
        hint: "to bring one back, name it: stories restore "
          + ShellWord.quoting(refs.first?.description ?? "REF"), exitCode: .wrongUsage)
    case .readOnly(let ref): self.init(EditError.readOnly(ref))
    case .ambiguousName(let word, let refs):
      self.init(
        "ambiguous-name", "“\(word)” is ambiguous: \(refs.listed())",
        hint: "write the name with its kind, such as \(refs.first?.description ?? word)",
        exitCode: .wrongUsage)
    case .severalRecords(let word, let count):
      self.init(
        "several-records", "“\(word)” names \(count) records, but the command takes one",
        hint: "list them: stories list \(ShellWord.quoting(word))", exitCode: .wrongUsage)
    case .outsideLibrary(let path, let root):
      self.init(
        "outside-library", "\(path) is not a record of the library in \(context.shown(root))",
        exitCode: .wrongUsage)
    case .nameTaken(let ref, let path):
      self.init(
        "name-taken",
        "\(ref.kind.schema.nounWithArticle) with this file name already exists: \(path)",
        hint: "choose another name, or change that one", exitCode: .wrongUsage)
    case .nameOfDeleted(let ref):
      self.init(
        "name-of-deleted", "\(ref) was deleted locally, but not yet on the server",
        hint: "choose another name, or send the delete first: stories sync push",
        exitCode: .wrongUsage)
    case .badName(let name, let what):
      self.init("bad-name", "“\(name)” cannot be \(what)", exitCode: .wrongUsage)
    case .heroNeeded(let choices):
      self.init(
        "hero-needed",
        choices.isEmpty
          ? "a story needs a hero, and the library has none yet"
          : "a story needs a hero: name \(choices.listed(isChoice: true))",
        hint: choices.first.map {
          "run it again with a hero: " + context.again(adding: "--hero", $0.name)
        } ?? "create one: stories new hero NAME",
        exitCode: .wrongUsage)
    case .badField(let word, let kind, let nearest):
      let schema = kind.schema
      let others = schema.fields.map(\.key).filter { $0 != schema.titleKey }
      self.init(
        "bad-field",
        word == schema.titleKey
          ? "a new \(schema.noun)'s \(word) is given without --field"
          : schema.fieldIndex(key: word) != nil
            ? "--field \(word) has no value"
            : "“\(word)” is not a field of \(schema.nounWithArticle)",
        hint: word == schema.titleKey
          ? "stories new \(schema.noun) \(word.uppercased())"
          : schema.fieldIndex(key: word) != nil
            ? "write it as --field \(word)=VALUE"
            : nearest.map { "did you mean “\($0)”?" }
              ?? "the fields are \(Phrases.list(others)); write --field NAME=VALUE",
        exitCode: .wrongUsage)
    case .badRecord(let problem) where problem.code == .otherLibrary:
      self.init(
        "bad-record", "\(problem.file) is a library of its own", hint: "choose another folder",
        exitCode: .wrongUsage)
    case .badRecord(let problem):
      self.init(
        "bad-record", problem.message, hint: problem.advice ?? "nothing was written",
        exitCode: .wrongUsage)
    case .insideRecords(let path, let library):
      self.init(
        "folder-in-use", "\(path) holds records of the library in \(library)",
        hint: "choose a folder outside that library", exitCode: .wrongUsage)
    case .folderInUse(let path):
      self.init(
        "folder-in-use", "\(context.shown(path)) is not empty",
        hint: "choose a new or empty folder", exitCode: .wrongUsage)
    case .noServer:
      self.init(
        "no-server", "no server given, and no library here that has one",
        hint: "add --server URL", exitCode: .wrongUsage)
    case .embeddedHasNoAccounts:
      self.init(
        "no-account", "the embedded server needs no account",
        hint: "name another server: --server URL", exitCode: .wrongUsage)
    case .notSignedIn(let server):
      self.init(
        "not-signed-in", "not signed in to \(server)",
        hint:
          "sign in, or sign up for a new account, then run the same command again: stories sign-in"
          + " --server \(ShellWord.quoting(server))",
        exitCode: .signInFirst)
    case .unknownLibrary(let root, let server, let account):
      self.init(
        "unknown-library",
        "the library in \(context.shown(root)) was not created, cloned or signed in to on this machine,"
          + " and would be synced with \(server) as \(account)",
        hint: "nothing was sent; to use this account: \(context.again(adding: "--yes"))",
        exitCode: .stopped)
    case .noConfigurationFolder:
      self.init(
        "no-configuration", "no folder for your own settings and sessions",
        hint: "set STORIES_CONFIG_DIR=/path/to/folder", exitCode: .wrongUsage)
    case .nothingToAllow(let server):
      self.init(
        "nothing-to-allow", "\(server) does not use plain http to another machine",
        hint: "leave out --allow-plain-http", exitCode: .wrongUsage)
    case .noPassword(let isTerminal):
      self.init(
        "no-password",
        isTerminal ? "no password was given" : "no terminal to ask for the password on",
        hint: isTerminal
          ? nil
          : "pipe it in: \(context.again(adding: "--password-stdin")) < password.txt",
        exitCode: .wrongUsage)
    case .accountTaken(let name):
      self.init(
        "conflict", "“\(name)” already has an account",
        hint: "to sign in to it: stories sign-in --user \(ShellWord.quoting(name))",
        exitCode: .failed)
    case .tooManyAttempts(let name, let wait):
      let error = APIError.rateLimited(until: nil)
      self.init(
        error.code,
        "too many attempts to sign in as \(name)"
          + (wait.map { "; try again in \(Phrases.span($0))" } ?? ""),
        exitCode: error.exitCode)
    case .wrongNameOrPassword:
      let error = APIError.unauthorized(.wrongPassword)
      self.init(
        error.code, "invalid user name or password",
        hint: "try again, or ask whoever runs the server for an account",
        exitCode: error.exitCode)
    case .noToken:
      self.init(
        "no-token", "no token was given", hint: "put it on the first line of standard input",
        exitCode: .wrongUsage)
    case .noKey:
      self.init(
        "no-key", "there is no key on standard input",
        hint: "pipe it in: \(ShellWord.line(["stories"] + context.arguments)) < key.txt",
        exitCode: .wrongUsage)
    case .passwordsDiffer:
      self.init(
        "passwords-differ", "the passwords do not match", exitCode: .wrongUsage)
    case .outputFailed(let code):
      self.init(
        "output", "the results could not be written", causes: [String(cString: strerror(code))],
        exitCode: .failed)
    }
  }
}
