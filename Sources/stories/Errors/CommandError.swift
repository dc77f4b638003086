import Foundation
import StoryAPI
import StoryLibrary
import StorySync

/// The reason why a command cannot do what its command line requests.
enum CommandError: Error, Sendable, Equatable {
  case noSuchFolder(String)
  /// A word for a record is empty, or has only slashes.
  case emptyRef(String)
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
  case severalRecords([String], count: Int)
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

extension CommandError: ReportedError {
  func report(in context: Context) -> ErrorReport {
    switch self {
    case .noSuchFolder(let path): .misuse("no-folder", "there is no folder \(path)")
    case .emptyRef(let word):
      .misuse(
        "empty-ref",
        word.isEmpty ? "a record's name must not be empty" : "“\(word)” is not a record's name",
        hint: "name a record or a folder, such as heroes; the current folder is “.”")
    case .noSuchRecord(let word, let noun, let nearest):
      .misuse(
        "no-record", "there is no \(noun) “\(word)” in this library",
        hint: nearest.map { "did you mean \($0)?" } ?? "list all records: stories list")
    case .notARecord(let word, let nearest):
      .misuse(
        "no-record",
        "\(word) is not a record: records are .json files in "
          + Phrases.list(EntityKind.writable.map { $0.folder + "/" }),
        hint: nearest.map { "did you mean \($0)?" }
          ?? "to make records of files: stories import FILE")
    case .otherKind(let word, let ref, let noun):
      .misuse(
        "no-record", "there is no \(noun) “\(word)” in this library",
        hint: "\(ref) is \(ref.kind.schema.nounWithArticle)")
    case .removed(let ref): EditError.removed(ref).report
    case .missing(let refs): ErrorReport(missing: refs)
    case .cannotBeRead(let problem):
      .init("unreadable", "\(problem.file): \(problem.message)", hint: problem.advice)
    case .onlyDeleted(let refs):
      .misuse(
        "only-deleted",
        "no record to restore in this folder: only deleted ones were kept (\(refs.listed()))",
        hint: "to bring one back, name it: stories restore "
          + ShellWord.quoting(refs.first?.description ?? "REF"))
    case .readOnly(let ref): EditError.readOnly(ref).report
    case .ambiguousName(let word, let refs):
      .misuse(
        "ambiguous-name", "“\(word)” is ambiguous: \(refs.listed())",
        hint: "write the name with its kind, such as \(refs.first?.description ?? word)")
    case .severalRecords(let words, let count):
      .misuse(
        "several-records",
        Phrases.list(words.map { "“\($0)”" }) + (words.count == 1 ? " names" : " name")
          + " \(count) records, but the command takes one",
        hint: "list them: stories list \(words.map(ShellWord.quoting).joined(separator: " "))")
    case .outsideLibrary(let path, let root):
      .misuse("outside-library", "\(path) is not a record of the library in \(context.shown(root))")
    case .nameTaken(let ref, let path):
      .misuse(
        "name-taken",
        "\(ref.kind.schema.nounWithArticle) with this file name already exists: \(path)",
        hint: "choose another name, or change that one")
    case .nameOfDeleted(let ref):
      .misuse(
        "name-of-deleted", "\(ref) was deleted locally, but not yet on the server",
        hint: "choose another name, or send the delete first: stories sync push")
    case .badName(let name, let what): .misuse("bad-name", "“\(name)” cannot be \(what)")
    case .heroNeeded(let choices):
      .misuse(
        "hero-needed",
        choices.isEmpty
          ? "a story needs a hero, and the library has none yet"
          : "a story needs a hero: name \(choices.listed(isChoice: true))",
        hint: choices.first.map {
          "run it again with a hero: " + context.again(adding: "--hero", $0.name)
        } ?? "create one: stories new hero NAME")
    case .badField(let word, let kind, let nearest): Self.badField(word, kind, nearest: nearest)
    case .badRecord(let problem) where problem.code == .otherLibrary:
      .misuse(
        "bad-record", "\(problem.file) is a library of its own", hint: "choose another folder")
    case .badRecord(let problem):
      .misuse("bad-record", problem.message, hint: problem.advice ?? "nothing was written")
    case .insideRecords(let path, let library):
      .misuse(
        "folder-in-use", "\(path) holds records of the library in \(library)",
        hint: "choose a folder outside that library")
    case .folderInUse(let path):
      .misuse(
        "folder-in-use", "\(context.shown(path)) is not empty",
        hint: "choose a new or empty folder")
    case .noServer:
      .misuse(
        "no-server", "no server given, and no library here that has one", hint: "add --server URL")
    case .embeddedHasNoAccounts:
      .misuse(
        "no-account", "the embedded server needs no account",
        hint: "name another server: --server URL")
    case .notSignedIn(let server):
      .init(
        "not-signed-in", "not signed in to \(server)",
        hint:
          "sign in, or sign up for a new account, then run the same command again: stories sign-in"
          + " --server \(ShellWord.quoting(server))",
        exitCode: .signInFirst)
    case .unknownLibrary(let root, let server, let account):
      .init(
        "unknown-library",
        "the library in \(context.shown(root)) was not created, cloned or signed in to on this machine,"
          + " and would be synced with \(server) as \(account)",
        hint: "nothing was sent; to use this account: \(context.again(adding: "--yes"))",
        exitCode: .stopped)
    case .noConfigurationFolder:
      .misuse(
        "no-configuration", "no folder for your own settings and sessions",
        hint: "set STORIES_CONFIG_DIR=/path/to/folder")
    case .nothingToAllow(let server):
      .misuse(
        "nothing-to-allow", "\(server) does not use plain http to another machine",
        hint: "leave out --allow-plain-http")
    case .noPassword(let isTerminal):
      .misuse(
        "no-password",
        isTerminal ? "no password was given" : "no terminal to ask for the password on",
        hint: isTerminal
          ? nil
          : "pipe it in: \(context.again(adding: "--password-stdin")) < password.txt")
    case .accountTaken(let name):
      .init(
        "conflict", "“\(name)” already has an account",
        hint: "to sign in to it: stories sign-in --user \(ShellWord.quoting(name))")
    case .tooManyAttempts(let name, let wait):
      .init(
        "rate-limited",
        "too many attempts to sign in as \(name)"
          + (wait.map { "; try again in \(Phrases.span($0))" } ?? ""), exitCode: .unreachable)
    case .wrongNameOrPassword:
      .init(
        "wrong-password", "invalid user name or password",
        hint: "try again, or ask whoever runs the server for an account", exitCode: .signInFirst)
    case .noToken:
      .misuse("no-token", "no token was given", hint: "put it on the first line of standard input")
    case .noKey:
      .misuse(
        "no-key", "there is no key on standard input",
        hint: "pipe it in: \(ShellWord.line(["stories"] + context.arguments)) < key.txt")
    case .passwordsDiffer: .misuse("passwords-differ", "the passwords do not match")
    case .outputFailed(let code):
      .init("output", "the results could not be written", causes: [String(cString: strerror(code))])
    }
  }

  private static func badField(
    _ word: String, _ kind: EntityKind, nearest: String?
  ) -> ErrorReport {
    let schema = kind.schema
    if word == schema.titleKey {
      return .misuse(
        "bad-field", "a new \(schema.noun)'s \(word) is given without --field",
        hint: "stories new \(schema.noun) \(word.uppercased())")
    }
    if schema.fieldIndex(key: word) != nil {
      return .misuse(
        "bad-field", "--field \(word) has no value", hint: "write it as --field \(word)=VALUE")
    }
    let others = schema.fields.map(\.key).filter { $0 != schema.titleKey }
    return .misuse(
      "bad-field", "“\(word)” is not a field of \(schema.nounWithArticle)",
      hint: nearest.map { "did you mean “\($0)”?" }
        ?? "the fields are \(Phrases.list(others)); write --field NAME=VALUE")
  }
}
