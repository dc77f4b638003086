import StoryLibrary

/// A connection that is opened once, when it is first needed.
actor OpenConnection {
  private let open: @Sendable (Scan) async throws -> Connection
  private var task: Task<Connection, any Error>?

  init(_ open: @escaping @Sendable (Scan) async throws -> Connection) { self.open = open }

  /// Returns the connection; if opening failed, the next call tries again.
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
