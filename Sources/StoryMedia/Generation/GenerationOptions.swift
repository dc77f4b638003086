/// The options of a request and of waiting for it.
public struct GenerationOptions: Sendable, Hashable {
  /// Whether to make something again that already exists.
  public var regenerates = false
  /// Whether to send records first that the server lacks or has in an older version.
  public var pushes = true
  /// The schedule for requesting progress.
  public var polling = Polling()

  /// Creates the default options.
  public init() {}
}
