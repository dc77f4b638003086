/// Storage outside of this module for the dialect that a server was found to speak.
///
/// It decides which health route is tried first, and how lists are requested until the server has
/// described itself.
public struct DialectMemory: Sendable {
  /// Returns the last known dialect, or `nil`.
  public var recall: @Sendable () -> Dialect?
  /// Stores a dialect. Failures are ignored.
  public var keep: @Sendable (Dialect) -> Void

  /// Creates a memory.
  public init(
    recall: @escaping @Sendable () -> Dialect?, keep: @escaping @Sendable (Dialect) -> Void
  ) {
    self.recall = recall
    self.keep = keep
  }
}
