extension Result {
  /// The outcome of something asynchronous.
  static func catching(
    _ work: () async throws(Failure) -> Success
  ) async -> Result<Success, Failure> {
    do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
  }
}
