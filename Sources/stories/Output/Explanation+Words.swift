import StoryLibrary
import StorySync

extension Explanation {
  /// The outcome for the record as a whole.
  var verdict: String {
    switch outcome {
    case .byState: verdictByState
    case .deletedOnServer:
      "deleted on the server, unchanged locally: the next pull removes it, kept in the run"
    case .deletedOnBoth: "deleted on both sides: the next sync removes its sidecar"
    case .deletedOnServerChangedLocally:
      "deleted on the server, changed locally: the next sync makes it a conflict"
    case .deletedLocallyChangedOnServer(.server): Self.newerOnServer + "policy “server” restores it"
    case .deletedLocallyChangedOnServer(.local):
      Self.newerOnServer + "policy “local” deletes it on the server too"
    case .deletedLocallyChangedOnServer: Self.newerOnServer + "the next sync makes it a conflict"
    }
  }

  private static let newerOnServer = "its file was deleted, and the server's version is newer: "

  private var verdictByState: String {
    switch entry.state {
    case .synced: "equal to the last synced version"
    case _ where entry.hasErrors && entry.state != .unreadable && entry.state != .duplicateId:
      "it has errors and is not sent until they are fixed"
    case .pendingCreate: "has no sidecar: the next push creates it on the server"
    case .draft: "a draft: it has no text yet, so it is not sent"
    case .pendingUpdate: "differs from its base: the next push sends the changed fields"
    case .pendingDelete:
      entry.isDeleteStated
        ? "removed with `stories rm`: the next push deletes it on the server"
        : "its file was deleted: the next push deletes it on the server, unless too many files were;"
          + " `stories restore \(entry.ref.word)` brings it back"
    case .unreadable: "cannot be read, so it is not changed on either side"
    case .conflict: "waits for a decision: `stories resolve \(entry.ref.word)`"
    case .duplicateId: "another sidecar has the same id, so it is not synced"
    case .missing:
      "its file is missing, and nothing shows that anyone removed it: the next pull restores it;"
        + " `stories rm \(entry.ref.word)` deletes it on the server"
    case .notCheckedOut: "git keeps it out of the working tree; it is not deleted"
    }
  }

  /// Returns the outcome for one of its fields.
  func verdict(of field: Field) -> String {
    switch field.outcome {
    case .unchanged: "unchanged"
    case .same: "the same on both sides"
    case .local where outcome == .deletedOnServerChangedLocally, .localOfDeleted:
      "changed locally, deleted on the server"
    case .local: "changed locally: the next push sends it"
    case .localUnsent: "changed locally"
    case .serverOfDeleted: "changed on the server, deleted locally"
    case .server: "changed on the server: the next pull takes it"
    case .added: "counted on both sides: the numbers add up"
    case .lines: "changed on both sides in different lines: both changes stay"
    case .elements: "changed on both sides: additions and removals are merged"
    case .decided: "changed on both sides: \(Self.decision(field.strategy))"
    case .conflict: "in conflict: `stories resolve \(entry.ref.word)` resolves it"
    case .waits: "refers to a record that the server does not have yet, and waits for it"
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
