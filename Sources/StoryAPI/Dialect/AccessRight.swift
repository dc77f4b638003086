public import StoryLibrary

/// What an account may do with a bucket.
public enum BucketAccess: String, Sendable, Hashable {
  /// Nothing, or the bucket does not exist: a server does not tell the one from the other.
  case none
  /// Read it.
  case read
  /// Read and change it.
  case write
}

/// A right that an account needs for a request, by the name that the server has for it.
public struct AccessRight: Sendable, Hashable {
  /// The right: `record:create`.
  public var name: String
  /// The kind whose records the request is about; `nil` for what holds all of them.
  public var kind: EntityKind?

  /// A right from its parts.
  public init(_ name: String, _ kind: EntityKind? = nil) {
    self.name = name
    self.kind = kind
  }
}
