/// How something is asked for and waited for.
public struct GenerationOptions: Sendable, Hashable {
  /// Whether it is made again where it is there.
  public var regenerates = false
  /// Whether records that the server lacks, or has in an older version, are sent first.
  public var pushes = true
  /// How the server is asked how far it is.
  public var polling = Polling()

  /// The usual.
  public init() {}
}
