import StoryAPI
import Synchronization

/// A store in memory that counts what is done with it and can be made to fail.
final class MemoryTokenStore: TokenStore {
  private struct State {
    var sessions: [String: Session] = [:]
    var saves = 0
    var error: TokenStoreError?
  }

  private let state: Mutex<State>

  init(_ session: Session? = nil, for origin: String = "") {
    state = Mutex(State(sessions: session.map { [origin: $0] } ?? [:]))
  }

  var saves: Int { state.withLock { $0.saves } }
  var sessions: [String: Session] {
    get { state.withLock { $0.sessions } }
    set { state.withLock { $0.sessions = newValue } }
  }

  func fail(with error: TokenStoreError?) { state.withLock { $0.error = error } }

  func session(for server: ServerAddress) async throws(TokenStoreError) -> Session? {
    try outcome { $0.sessions[server.origin] }
  }

  func save(_ session: Session, for server: ServerAddress) async throws(TokenStoreError) {
    try outcome {
      $0.sessions[server.origin] = session
      $0.saves += 1
    }
  }

  func remove(for server: ServerAddress) async throws(TokenStoreError) {
    try outcome { $0.sessions[server.origin] = nil }
  }

  private func outcome<Value: Sendable>(
    _ work: (inout State) -> Value
  ) throws(TokenStoreError) -> Value {
    let result = state.withLock { state -> Result<Value, TokenStoreError> in
      if let error = state.error { return .failure(error) }
      return .success(work(&state))
    }
    return try result.get()
  }
}
