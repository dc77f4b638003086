/// The rules of a server and how often each has matched.
final class FaultBoard: Sendable {
  private struct Entry: Sendable {
    var id: FaultID
    var rule: FaultRule
    var matches = 0
  }

  private struct State: Sendable {
    var nextNumber = 1
    var entries: [Entry] = []
  }

  private let state = Monitor(State())

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
        if rule.numbers.contains(state.entries[index].matches) { actions.append(rule.action) }
      }
      return actions
    }
  }
}
