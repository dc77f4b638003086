import StoryLibrary

/// A connection that is opened once, by whoever needs it first.
actor OpenConnection {
  private let open: @Sendable (Scan) async throws -> Connection
  private var task: Task<Connection, any Error>?

  init(_ open: @escaping @Sendable (Scan) async throws -> Connection) { self.open = open }

  /// The connection; one that could not be opened is tried again the next time.
  func get(_ scan: Scan) async throws -> Connection {
    if let task { return try await task.value }
    let task = Task { [open] in try await open(scan) }
    self.task = task
    do {
      return try await task.value
    } catch {
      self.task = nil
      throw error
    }
  }
}
