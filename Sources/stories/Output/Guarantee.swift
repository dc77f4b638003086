import StoryAPI

/// A promise of a sync, how a server keeps it, and the remaining gap.
struct Guarantee: Sendable, Hashable, Encodable {
  var promise: String
  var means: String
  var gap: String?

  static func all(_ info: ServerInfo) -> [Guarantee] {
    let features = info.features
    let namesVersions = features.contains(.etag)
    let isRaced = info.dialect.holdsCollections && !features.contains(.batch)
    let createsOnce = features.contains(.idempotency) || info.doesOnce(.create)
    return [
      Guarantee(
        promise: "nobody's edit is overwritten",
        means: namesVersions
          ? "every update and delete names the version it is based on"
          : "each record is read again just before it is updated or deleted",
        gap: !namesVersions
          ? "a change made between that read and the write is overwritten"
          : isRaced
            ? "without batches (batch_max_requests is 1), one of two changes made at the same moment is"
              + " overwritten"
            : nil),
      Guarantee(
        promise: "nothing is created twice",
        means: features.contains(.idempotency)
          ? "every write has a key that the server remembers"
          : createsOnce
            ? "the client chooses the ids of new records, so sending one again finds it"
            : "an unconfirmed write is looked up before it is sent again",
        gap: createsOnce
          ? nil
          : "a new record whose answer was lost, and that someone renamed before the next sync, "
            + "is created again"),
      Guarantee(
        promise: "a delete on the server is noticed",
        means: features.contains(.tombstones)
          ? "the server lists what was deleted"
          : "a record that is missing from a complete list is asked for by its id"),
      Guarantee(
        promise: "a list is complete",
        means: !features.contains(.cursor)
          ? "all pages must report the same total and add up to it, or the list is read again"
          : info.dialect.showsChangesInOrder
            ? "pages follow the order of changes"
            : "pages follow the order of changes, the last five minutes are listed again, and totals"
              + " are compared"),
      Guarantee(
        promise: "many changes travel together",
        means: features.contains(.batch)
          ? info.dialect.takesMixedBatches
            ? "up to \(info.batchLimit == 100 ? "a hundred" : "\(info.batchLimit)") writes in a request"
            : "up to a hundred new heroes or stories in a request, other writes one by one"
          : "one request for each record, six at a time"),
    ] + peculiarities(info.dialect)
  }

  /// Returns the promises that only some dialects need.
  private static func peculiarities(_ dialect: Dialect) -> [Guarantee] {
    var result: [Guarantee] = []
    if !dialect.setsPlayCount {
      result.append(
        Guarantee(
          promise: "readings add up", means: "each is counted by its own request",
          gap: "a reading counted elsewhere at the same moment may be taken for a local one"))
    }
    if !dialect.takesEveryChange {
      result.append(
        Guarantee(
          promise: "every edit arrives",
          means: "the server's answer is compared with what was sent",
          gap: "this server cannot clear fields other than the special ability, or move a story to "
            + "another hero or event type; its value is then taken and reported, and the "
            + "local one is kept in the run"))
    }
    if dialect.signsMedia {
      result.append(
        Guarantee(
          promise: "a quiet sync changes no file",
          means: "signatures in media addresses, which change at each read, are ignored"))
    }
    return result
  }
}
