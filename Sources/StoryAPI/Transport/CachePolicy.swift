/// Where a read looks for its answer.
public enum CachePolicy: String, Sendable, Hashable, CaseIterable {
  /// What is held, and nothing else; no request.
  case cacheOnly
  /// The server, and nothing else; what it answers is still kept.
  case networkOnly
  /// What is held; the server where nothing is.
  case cacheFirst
  /// The server; what is held where the server cannot be reached.
  case networkFirst
  /// What is held at once, and the server's answer when it comes.
  case cacheAndNetwork
}

/// A value and how fresh it is.
public struct Cached<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// How long ago the server said so; `nil` for an answer of this moment.
  public var age: Duration?
  /// Why the server's own answer could not be had, where that is why the value is an old one.
  public var failure: APIError?
  /// With ``CachePolicy/cacheAndNetwork`` the server's answer, under way; it is kept when it comes.
  public var refresh: Task<Value, any Error>?

  /// A value from its parts.
  public init(
    value: Value, age: Duration? = nil, failure: APIError? = nil,
    refresh: Task<Value, any Error>? = nil
  ) {
    self.value = value
    self.age = age
    self.failure = failure
    self.refresh = refresh
  }
}
