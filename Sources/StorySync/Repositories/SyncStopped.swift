/// The error of a sync that stopped before it changed anything.
public struct SyncStopped: Error, Sendable {
  /// The reasons.
  public var stops: [SafetyStop]
}
