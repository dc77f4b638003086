public import JSONText

/// The texts that a sync stores in `.stories/` for later readers.
///
/// The library only has cases and data; the program passes in the texts for people.
public struct SyncWording: Sendable {
  /// Returns a run's `report.json`; `command` is added to it.
  public var report: @Sendable (SyncReport) -> JSONObject
  /// Returns the ``FailureStore`` entry of a failed record.
  public var failure: @Sendable (SyncReport.Failure) -> FailureStore.Failure

  /// Creates a wording.
  public init(
    report: @escaping @Sendable (SyncReport) -> JSONObject,
    failure: @escaping @Sendable (SyncReport.Failure) -> FailureStore.Failure
  ) {
    self.report = report
    self.failure = failure
  }

  /// No texts: a failure by its case, and no report.
  public static let none = SyncWording(
    report: { _ in noReport }, failure: { FailureStore.Failure(message: "\($0.reason)") })

  /// The document of a run without a report.
  static let noReport: JSONObject = ["schema": "stories.run/1"]
}
