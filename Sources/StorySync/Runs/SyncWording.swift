public import JSONText

/// How a sync puts into words what `.stories/` keeps of it, for whoever reads that later.
///
/// The library itself knows cases and data only; a program hands in what it says to people.
public struct SyncWording: Sendable {
  /// Returns the document that a run keeps, its `report.json`; `command` is added.
  public var report: @Sendable (SyncReport) -> JSONObject
  /// Returns what ``FailureStore`` keeps of a record that failed.
  public var failure: @Sendable (SyncReport.Failure) -> FailureStore.Failure

  /// A wording from its parts.
  public init(
    report: @escaping @Sendable (SyncReport) -> JSONObject,
    failure: @escaping @Sendable (SyncReport.Failure) -> FailureStore.Failure
  ) {
    self.report = report
    self.failure = failure
  }

  /// No sentences: a failure by its case, and no report.
  public static let none = SyncWording(
    report: { _ in noReport }, failure: { FailureStore.Failure(message: "\($0.reason)") })

  /// The document of a run that has no report.
  static let noReport: JSONObject = ["schema": "stories.run/1"]
}
