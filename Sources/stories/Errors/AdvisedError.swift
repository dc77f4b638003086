/// An error with better advice from code that knows the context.
struct AdvisedError: Error, Sendable {
  var error: any Error
  var hint: String
}
