import StoryLibrary
import StorySync

extension Problem {
  /// The advice, or `nil` if the message is enough.
  var advice: String? { hint?.words }
}

extension Problem.Hint {
  fileprivate var words: String {
    switch self {
    case .text(let text): text
    case .sync: "`stories sync` settles it"
    case .syncRenames: "the next `stories sync` writes the new name here"
    case .pullThenRemove(let ref):
      "`stories sync pull` brings it back; then `stories rm \(ref)` deletes it"
    case .pullOrRemove(let ref):
      "`stories sync pull` writes the record again; `stories rm \(ref)` deletes it on the server"
    case .keepOneSidecar:
      "to delete it there, remove all of these sidecars but one; to have it back, remove all and run"
        + " `stories sync pull`"
    case .resolve(let record): "look at both and decide: stories resolve \(record)"
    case .stateDelete(let ref):
      "to delete it for everybody, push first, or state it: stories rm "
        + ShellWord.quoting("\(ref)")
    case .create(let kind):
      "make it with `stories new \(kind.schema.noun)`, or name one that is there"
    case .createLibrary: "take an earlier version of it, or make a new library: stories init"
    case .openLibrary(let path):
      "work on it with `stories -C \(path)`, or move it out of this library"
    }
  }
}
