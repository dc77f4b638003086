import JSONText
import StoryAPI
import StoryLibrary
import StorySync

extension SyncReport.Failure {
  /// The code for scripts and the place, or `nil` if the record's file is not the cause.
  var place: (code: Problem.Code, file: String, position: TextPosition?)? {
    switch reason {
    case .problem(let problem): (problem.code, problem.file, problem.position)
    case .mayBeHidden, .mayBeCreated: (.refused, ref.path, nil)
    default: nil
    }
  }

  var message: String {
    switch reason {
    case .problem(let problem): problem.message
    case .server(let error): Phrases.clause(error.message)
    case .file(let error): error.description
    case .waits(let other): "waits for \(other), which is not on the server"
    case .waitsForRelease(let other): "waits for \(other), which still refers to it on the server"
    case .namedMeanwhile(let other):
      "not deleted: somebody has just made \(other) refer to it on the server"
    case .fileKeepsChanging:
      "the file kept changing during the sync, or a program has it open for writing"
    case .serverKeepsChanging: "the server's version keeps changing"
    case .malformed(.decoding(let problem, let place)):
      "skipped, because the server's record is malformed: "
        + ServerText.shown("\(place): \(problem.message)")
    case .malformed(let error):
      "skipped, because the server's record is malformed: \(Phrases.clause(error.message))"
    case .mayBeHidden: "not created: it may be the malformed record on the server"
    case .mayBeCreated(isMadeAgain: true):
      "maybe created: it was deleted on the server, and a record of the same name has been created"
        + " since"
    case .mayBeCreated(isMadeAgain: false):
      "maybe created: the answer to its create was lost, and the server has since got a record of"
        + " the same name"
    }
  }

  /// The advice, or `nil` if the message is enough.
  var hint: String? {
    switch reason {
    case .problem(let problem): problem.advice
    case .server(let error): error.suggestion.map(Phrases.clause)
    case .file: nil
    case .waits(let other), .waitsForRelease(let other):
      "see why \(other) was not sent: stories status"
    case .namedMeanwhile(let other):
      "`stories sync pull` fetches \(other); see `stories status` then"
    case .fileKeepsChanging: "save it, close it there, and run `stories sync` again"
    case .serverKeepsChanging: "run `stories sync` again"
    case .malformed: "check the server's version: stories doctor"
    case .mayBeHidden:
      "new \(ref.kind.rawValue) wait until the server's list can be read; check the"
        + " server's version: stories doctor"
    case .mayBeCreated:
      "`stories sync pull` fetches that record; then remove one of the two, or give this one another"
        + " name"
    }
  }
}

extension SyncWording {
  static let english = SyncWording(
    report: { JSONValue(encoding: $0).object ?? JSONObject() },
    failure: { FailureStore.Failure(message: $0.message, hint: $0.hint) })
}

extension SafetyStop {
  var message: String {
    switch self {
    case .deletes(let kind, let onServer, let count, let of):
      "\(count) of \(of) \(kind.rawValue) would be deleted \(!onServer ? "locally" : "on the server")"
    case .stillNamed(let ref, let referrers):
      "\(ref) was deleted locally, but \(referrers.listed(upTo: 3)) still"
        + (referrers.count == 1 ? " refers to it" : " refer to it")
    case .serverWentBack(let ref, let had, let has?):
      "the server has an older version of \(ref) (\(has)) than it had before (\(had))"
    case .serverWentBack(let ref, let had, nil):
      "the server does not know \(ref), which was synced before (\(had)), not even as deleted"
    case .otherServer(let has, let now) where has.server == now.server:
      "this library belongs to another account of \(Self.words(has)) than the one that is signed in"
    case .otherServer(let has, let now):
      "this library belongs to \(Self.words(has)), but would be synced with \(Self.words(now))"
    case .stateIsTracked: "git tracks .stories, which is local to this machine"
    case .gitIsAtWork(let lock):
      "git is changing the files of this library, or was stopped while it did: \(lock)"
    }
  }

  var hint: String {
    switch self {
    case .deletes(let kind, let onServer, let count, _):
      onServer
        ? "to delete them: `stories sync --max-delete \(count)`; to keep them:"
          + " `stories restore \(kind.folder)`, which reverts all other edits of \(kind.rawValue) too"
        : "to delete them: `stories sync --max-delete \(count)`; otherwise check the server first"
    case .stillNamed(let ref, _):
      "to keep it: `stories restore \(ref.word)`; otherwise give the stories"
        + " another \(ref.kind.schema.noun)"
    case .serverWentBack:
      "if the server was restored from a backup, check it before you continue; to match this"
        + " library's records with it again: `stories remote set embedded`, then"
        + " `stories remote set URL` with its address, and `stories sync`"
    case .otherServer(let has, let now) where has.server == now.server:
      "sign in with that account: `stories sign-in`; `stories whoami` shows which one it is now; to"
        + " move the library to this account: `\(Self.move(to: now))`"
    case .otherServer(let has, let now):
      "to move the library to that server: `\(Self.move(to: now))`; to stay with"
        + " \(Self.words(has)): `\(Self.move(to: has))`"
    case .stateIsTracked: "run `git rm -r --cached .stories` and commit that"
    case .gitIsAtWork:
      "wait until git is done, then run the same command again; if no git is running, restore the files that"
        + " `git status` shows and that you have not changed, then remove the lock"
    }
  }

  private static func move(to identity: LibraryConfiguration.Identity) -> String {
    "stories remote set \(ShellWord.quoting(identity.shownServer))"
  }

  private static func words(_ identity: LibraryConfiguration.Identity) -> String {
    identity.server == "embedded" ? "the embedded server" : identity.shownServer
  }
}
