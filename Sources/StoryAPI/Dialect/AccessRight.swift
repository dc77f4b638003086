public import StoryLibrary

/// An account's access to a bucket.
public enum BucketAccess: String, Sendable, Hashable {
  /// No access, or the bucket does not exist. A server does not say which.
  case none
  /// The account can read the bucket.
  case read
  /// The account can read and change the bucket.
  case write
}

/// A right that an account needs for a request, by the server's name for it.
public struct AccessRight: Sendable, Hashable {
  /// The name of the right, such as `record:create`.
  public var name: String
  /// The kind of the requested records, or `nil` if the request is about the collections or bucket.
  public var kind: EntityKind?

  /// Creates a right.
  public init(_ name: String, _ kind: EntityKind? = nil) {
    self.name = name
    self.kind = kind
  }
}
