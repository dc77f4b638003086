/// A place outside of this module where it stands which dialect a server was found to speak.
///
/// It only says which health route is asked first: a server that speaks another one by now is found
/// out all the same.
public struct DialectMemory: Sendable {
  /// The dialect that was found last; `nil` where nothing is known.
  public var recall: @Sendable () -> Dialect?
  /// Keeps what was found; that it cannot be kept is no failure.
  public var keep: @Sendable (Dialect) -> Void

  /// A memory from its two sides.
  public init(
    recall: @escaping @Sendable () -> Dialect?, keep: @escaping @Sendable (Dialect) -> Void
  ) {
    self.recall = recall
    self.keep = keep
  }
}
