/// An error with better advice than it has by itself, from whoever knows what was being done.
struct AdvisedError: Error, Sendable {
  var error: any Error
  /// What to do next.
  var hint: String
}
