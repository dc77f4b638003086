import StoryLibrary
import StorySync

extension Explanation {
  /// The outcome for the record as a whole.
  var verdict: String {
    switch outcome {
    case .byState: verdictByState
    case .deletedOnServer:
      "deleted on the server, unchanged locally: the next pull removes it, kept in the run"
    case .deletedOnBoth: "deleted on both sides: the next sync forgets it"
    case .deletedOnServerChangedHere:
      "deleted on the server, changed locally: the next sync makes that a conflict"
    case .deletedHereChangedOnServer(.server):
      Self.newerOnServer + "policy “server” brings it back"
    case .deletedHereChangedOnServer(.local):
      Self.newerOnServer + "policy “local” deletes it on the server as well"
    case .deletedHereChangedOnServer: Self.newerOnServer + "the next sync makes that a conflict"
    }
  }

  private static let newerOnServer = "its file is gone, and the server's version is newer: "

  private var verdictByState: String {
    switch entry.state {
    case .synced: "equal to what the server said last"
    case _ where entry.hasErrors && entry.state != .unreadable && entry.state != .duplicateId:
      "something is wrong with it, so it is not sent until that is mended"
    case .pendingCreate: "has no sidecar: the next push makes it on the server"
    case .draft: "a draft: it has no text yet, so it is not sent"
    case .pendingUpdate: "differs from its base: the next push sends the changed fields"
    case .pendingDelete:
      entry.isDeleteStated
        ? "removed with `stories rm`: the next push deletes it on the server"
        : "its file is gone: the next push deletes it on the server, unless too many are gone;"
          + " `stories restore \(entry.ref)` brings it back"
    case .unreadable: "cannot be read, so it is left alone on both sides"
    case .conflict: "waits for a decision: `stories resolve \(entry.ref)`"
    case .duplicateId: "another sidecar names the same id, so it is left alone"
    case .missing:
      "its file is missing, and nothing shows that anyone removed it: the next pull writes it again;"
        + " `stories rm \(entry.ref)` deletes it on the server"
    case .notCheckedOut: "git keeps it out of the working tree; it is not deleted"
    }
  }

  /// Returns the outcome for one of its fields.
  func verdict(of field: Field) -> String {
    switch field.outcome {
    case .unchanged: "unchanged"
    case .same: "the same on both sides"
    case .local: "changed locally: the next push sends it"
    case .localUnsent: "changed locally"
    case .localOfDeleted: "changed locally, deleted on the server"
    case .server: "changed on the server: the next pull takes it"
    case .added: "counted on both sides: the numbers add up"
    case .lines: "changed on both sides in different lines: both changes stay"
    case .elements: "changed on both sides: additions and removals come together"
    case .decided: "changed on both sides: \(Self.decision(field.strategy))"
    case .conflict: "in conflict: `stories resolve \(entry.ref)` settles it"
    case .waits: "names a record that the server does not have yet, and waits for it"
    }
  }

  private static func decision(_ strategy: Strategy) -> String {
    switch strategy {
    case .server: "policy “server” takes the server's value"
    case .local: "policy “local” keeps the local value"
    case .newest: "policy “newest” takes the later one"
    case .merge, .ask: "the next sync makes it a conflict"
    }
  }
}
