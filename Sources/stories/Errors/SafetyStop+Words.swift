import StoryAPI
import StoryLibrary
import StorySync

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
    case .stateIsTracked:
      "git tracks .stories, which is local to this machine"
    case .gitIsAtWork(let lock):
      "git is changing the files of this library, or was stopped while it did: \(lock)"
    }
  }

  var hint: String {
    switch self {
    case .deletes(let kind, let onServer, let count, _):
      onServer
        ? "to delete them: `stories sync --max-delete \(count)`; to keep them, and to take back any"
          + " edits beside them: `stories restore \(kind.folder)`"
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
