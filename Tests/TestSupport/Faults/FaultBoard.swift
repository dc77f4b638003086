import StoryServer

/// The requests that a server is sent, and the rules that let some of them go wrong.
final class FaultBoard: ServerHook {
  private struct Entry: Sendable {
    var id: FaultID
    var rule: FaultRule
    var matches = 0
  }

  private struct State: Sendable {
    var nextNumber = 1
    var entries: [Entry] = []
    var isStopping = false
  }

  let log: RequestLog
  /// Handles the requests instead of the server, if it is only the front of another one.
  private let upstream: Upstream?
  private let state = Monitor(State())

  /// Handles a request; `nil` closes the connection without an answer.
  typealias Upstream = @Sendable (ServerRequest) -> ServerResponse?

  init(logSize: Int, upstream: Upstream? = nil) {
    log = RequestLog(size: logSize)
    self.upstream = upstream
  }

  func add(_ rule: FaultRule) -> FaultID {
    state.withLock { state in
      let id = FaultID(number: state.nextNumber)
      state.nextNumber += 1
      state.entries.append(Entry(id: id, rule: rule))
      return id
    }
  }

  func remove(_ id: FaultID) {
    state.withLock { state in state.entries.removeAll { $0.id == id } }
  }

  func removeAll() { state.withLock { $0.entries.removeAll() } }

  /// How many requests have matched a rule; `nil` where it was removed.
  func matches(of id: FaultID) -> Int? {
    state.withLock { state in state.entries.first { $0.id == id }?.matches }
  }

  /// What happens to a request. It counts as a match of each rule that fits it.
  func actions(for request: LoggedRequest) -> [FaultAction] {
    state.withLock { state in
      guard !state.entries.isEmpty else { return [] }
      var actions: [FaultAction] = []
      for index in state.entries.indices where state.entries[index].rule.matches(request) {
        state.entries[index].matches += 1
        let rule = state.entries[index].rule
        guard rule.numbers.contains(state.entries[index].matches) else { continue }
        actions.append(rule.action)
        // It may hold the test's world, and that the server.
        if state.entries[index].matches == rule.numbers.upperBound {
          state.entries[index].rule.action = .delay(milliseconds: 0)
        }
      }
      return actions
    }
  }

  // MARK: ServerHook

  func answer(
    _ request: ServerRequest, handling handle: () -> ServerResponse
  ) -> ServerResponse? {
    let logged = log.begin(request)
    var outcome = Outcome()
    for action in actions(for: logged) where !outcome.isDropped { apply(action, logged, &outcome) }
    if outcome.isDropped { return nil }
    let handled = outcome.answer ?? (upstream.map { $0(request) } ?? handle())
    for hook in outcome.hooks { hook(logged) }
    guard !outcome.isLost, var answer = handled else { return nil }
    if let other = outcome.otherAnswer { answer = other }
    if let rewrite = outcome.rewrite { answer.body = rewrite(answer.body) }
    log.end(logged, status: answer.status, answerSize: answer.length)
    answer.bodyLimit = outcome.truncation
    return answer
  }

  func failure(ofPicture order: Int, story: String) -> String? {
    let request = LoggedRequest(
      number: 0, method: FaultRule.work, target: "/illustrations/\(story)/\(order)", bodySize: 0)
    var failure: String?
    for action in actions(for: request) {
      switch action {
      case .answer(_, _, let body), .answerAfterHandling(_, _, let body):
        failure = String(decoding: body, as: UTF8.self)
      case .dropBeforeHandling, .dropAfterHandling: failure = "The picture was lost."
      case .delay(let milliseconds): wait(milliseconds)
      case .before(let hook), .after(let hook): hook(request)
      case .truncateBody, .replaceBody, .rewriteBody: break
      }
    }
    return failure
  }

  /// A rule may hold the server itself, so all go.
  func serverStops() {
    state.change { state in
      state.isStopping = true
      state.entries = []
    }
  }

  private func wait(_ milliseconds: Int) {
    _ = state.wait(milliseconds: Int64(milliseconds)) { $0.isStopping ? true : nil }
  }

  private struct Outcome {
    var isDropped = false
    var isLost = false
    /// Answered instead of handling the request.
    var answer: ServerResponse?
    /// Answered after handling it.
    var otherAnswer: ServerResponse?
    var truncation: Int?
    var rewrite: (@Sendable ([UInt8]) -> [UInt8])?
    var hooks: [@Sendable (LoggedRequest) -> Void] = []
  }

  private func apply(_ action: FaultAction, _ request: LoggedRequest, _ outcome: inout Outcome) {
    func response(_ status: Int, _ headers: [String: String], _ body: [UInt8]) -> ServerResponse {
      let fields = headers.sorted { $0.key < $1.key }.map { HTTPHeader($0.key, $0.value) }
      return ServerResponse(status, headers: fields, body: body)
    }
    switch action {
    case .dropBeforeHandling: outcome.isDropped = true
    case .dropAfterHandling: outcome.isLost = true
    case .answer(let status, let headers, let body):
      outcome.answer = response(status, headers, body)
    case .answerAfterHandling(let status, let headers, let body):
      outcome.otherAnswer = response(status, headers, body)
    case .delay(let milliseconds): wait(milliseconds)
    case .truncateBody(let length): outcome.truncation = length
    case .replaceBody(let body): outcome.rewrite = { _ in body }
    case .rewriteBody(let rewrite): outcome.rewrite = rewrite
    case .before(let hook): hook(request)
    case .after(let hook): outcome.hooks.append(hook)
    }
  }
}
