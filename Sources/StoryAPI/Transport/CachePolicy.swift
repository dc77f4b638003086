/// The source of a response.
public enum CachePolicy: String, Sendable, Hashable, CaseIterable {
  /// Only the cache, without a request.
  case cacheOnly
  /// Only the server; the response is still cached.
  case networkOnly
  /// The cache, or the server if nothing is cached.
  case cacheFirst
  /// The server, or the cache if the server cannot be reached.
  case networkFirst
  /// The cache at once, and the server's response when it arrives.
  case cacheAndNetwork
}

/// A value and its age.
public struct Cached<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// The age of the response, or `nil` if it is new.
  public var age: Duration?
  /// The reason that the server's response is missing and the value is an old one.
  public var failure: APIError?
  /// The server's response in progress with ``CachePolicy/cacheAndNetwork``, cached on arrival.
  public var refresh: Task<Value, any Error>?

  /// Creates a cached value.
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
