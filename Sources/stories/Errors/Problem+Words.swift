import JSONText
import StoryLibrary
import StorySync

extension Problem {
  /// The advice, or `nil` if the message is enough.
  var advice: String? { hint?.words }
}

extension RecordFix {
  var words: String {
    switch self {
    case .rename(let old, let new): "renamed “\(old)” to “\(new)”"
    case .set(let member, let value): "“\(member)” is now \(value.compactText)"
    case .removeComma: "removed a comma"
    case .addComma: "added a comma"
    }
  }
}

extension Problem.Hint {
  fileprivate var words: String {
    switch self {
    case .text(let text): text
    case .emptyFile(let file):
      RecordRef(file).map {
        "write the record, or bring back an older version: stories restore "
          + ShellWord.quoting("\($0)") + " (with git: `git checkout -- \(file)`)"
      } ?? "`git checkout -- \(file)` brings back an older version"
    case .sync: "`stories sync` repairs it"
    case .syncRenames: "the next `stories sync` updates the name"
    case .pullThenRemove(let ref):
      "`stories sync pull` brings it back; then `stories rm \(ref.word)` deletes it"
    case .pullOrRemove(let ref):
      "`stories sync pull` writes the record again; `stories rm \(ref.word)` deletes it on the server"
    case .keepOneSidecar:
      "to delete it on the server, remove all of these sidecars but one; to have it back, remove all and run"
        + " `stories sync pull`"
    case .resolve(let record): "choose one: stories resolve \(ShellWord.quoting("\(record)"))"
    case .resolveMarkers(let ref):
      "see both versions and decide: stories resolve \(ref.word)"
    case .stateDelete(let ref):
      "to delete it for everyone, push first, or run: stories rm \(ref.word)"
    case .create(let kind):
      "create it with `stories new \(kind.schema.noun)`, or name an existing one"
    case .createLibrary: "restore an earlier version, or create a new library: stories init"
    case .openLibrary(let path):
      "open it with `stories -C \(ShellWord.quoting(path))`, or move it out of this library"
    }
  }
}
