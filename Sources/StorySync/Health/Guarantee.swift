public import StoryAPI

/// A promise of the sync and how it is kept with one server.
public struct Guarantee: Sendable, Hashable {
  /// What is promised.
  public var promise: String
  /// By what means.
  public var means: String
  /// What can still go wrong; `nil` where nothing can.
  public var gap: String?

  /// How each promise is kept with a server that offers `features`.
  public static func all(features: Set<Feature>) -> [Guarantee] {
    [
      features.contains(.etag)
        ? Guarantee(
          promise: "no edit of somebody else is overwritten",
          means: "every update and delete names the version it was made from")
        : Guarantee(
          promise: "no edit of somebody else is overwritten",
          means: "each record is read again just before it is updated or deleted",
          gap: "a change that comes between that read and the write is overwritten"),
      Guarantee(
        promise: "nothing is created twice",
        means: features.contains(.idempotency)
          ? "every write carries a key that the server remembers"
          : "a write without an answer is looked up before anything is sent again"),
      Guarantee(
        promise: "a delete on the server is noticed",
        means: features.contains(.tombstones)
          ? "the server lists what was deleted"
          : "a record that is missing from a complete list is asked for by its id"),
      features.contains(.cursor)
        ? Guarantee(promise: "a list is complete", means: "pages follow the order of changes")
        : Guarantee(
          promise: "a list is complete",
          means: "all pages must tell one total and add up to it, else the list is read again"),
      Guarantee(
        promise: "many changes travel together",
        means: features.contains(.batch)
          ? "up to a hundred writes in a request" : "one request for each record, six at a time"),
    ]
  }
}
