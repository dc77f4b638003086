import StoryServer

/// What the request log keeps of a request; no token and no body.
public struct LoggedRequest: Sendable, Equatable {
  /// The request's number, from 1, in the order of arrival.
  public internal(set) var number: Int
  /// The method.
  public internal(set) var method: String
  /// The path and query, as they were sent.
  public internal(set) var target: String
  /// The value of `Idempotency-Key`.
  public internal(set) var idempotencyKey: String?
  /// The value of `If-Match`.
  public internal(set) var ifMatch: String?
  /// The body's length in bytes.
  public internal(set) var bodySize: Int
  /// The status that was answered; `nil` while there is none, and where the connection was dropped.
  public internal(set) var status: Int?
  /// The length of the answer's body in bytes.
  public internal(set) var answerSize = 0

  /// Whether it asks for something and changes nothing.
  public var isRead: Bool { ["GET", "HEAD"].contains(method) }

  /// The path without the query.
  public var path: String {
    String(target.prefix { $0 != "?" })
  }
}

/// The last requests that a server was sent.
final class RequestLog: Sendable {
  private struct State: Sendable {
    var count = 0
    /// A ring: request `n` stands at `(n - 1) % size`.
    var entries: [LoggedRequest] = []
  }

  let size: Int
  private let state = Monitor(State())

  init(size: Int) { self.size = size }

  /// How many requests there have been.
  var count: Int { state.withLock { $0.count } }

  /// What is kept, oldest first.
  var entries: [LoggedRequest] {
    state.withLock { state in
      guard state.entries.count == size, size > 0 else { return state.entries }
      let start = state.count % size
      return Array(state.entries[start...] + state.entries[..<start])
    }
  }

  /// Takes a request in and gives it its number.
  func begin(_ request: ServerRequest) -> LoggedRequest {
    var entry = LoggedRequest(
      number: 0, method: request.method, target: request.target.text,
      idempotencyKey: request.headers["idempotency-key"], ifMatch: request.headers["if-match"],
      bodySize: request.body.count)
    state.withLock { state in
      state.count += 1
      entry.number = state.count
      guard size > 0 else { return }
      if state.entries.count < size {
        state.entries.append(entry)
      } else {
        state.entries[(entry.number - 1) % size] = entry
      }
    }
    return entry
  }

  /// Notes what was answered; to be called before the answer is sent.
  func end(_ entry: LoggedRequest, status: Int, answerSize: Int) {
    state.withLock { state in
      let index = size > 0 ? (entry.number - 1) % size : 0
      guard state.entries.indices.contains(index), state.entries[index].number == entry.number
      else { return }
      state.entries[index].status = status
      state.entries[index].answerSize = answerSize
    }
  }

  /// Forgets the requests and begins to count anew.
  func clear() { state.withLock { $0 = State() } }
}
