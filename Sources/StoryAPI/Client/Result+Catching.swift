extension Result {
  /// Returns the result of asynchronous work.
  static func catching(
    _ work: () async throws(Failure) -> Success
  ) async -> Result<Success, Failure> {
    do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
  }
}
