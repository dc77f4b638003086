/// One part of what is measured: what `stories-bench AREA` runs.
///
/// To add one, write a type with its rows in `Areas/` and name it in ``Areas/all``.
protocol Area: Sendable {
  /// The word on the command line.
  static var name: String { get }
  /// What it measures, on one line.
  static var summary: String { get }
  /// Makes its data, measures, and adds its rows to the bench.
  static func measure(_ bench: Bench) async throws
}
