/// A sync that something stopped before it changed anything.
public struct SyncStopped: Error, Sendable {
  /// The reasons.
  public var stops: [SafetyStop]
}
