extension StoryServer {
  /// Adds a fault; it counts requests from now on.
  @discardableResult
  public func addFault(_ rule: FaultRule) -> FaultID { core.faults.add(rule) }

  /// Takes a fault back.
  public func removeFault(_ id: FaultID) { core.faults.remove(id) }

  /// Takes all faults back.
  public func removeFaults() { core.faults.removeAll() }

  /// How many requests a fault's rule has matched; `nil` where it was taken back.
  public func faultMatches(_ id: FaultID) -> Int? { core.faults.matches(of: id) }

  /// How many requests have come in since the start or ``clearRequestLog()``.
  public var requestCount: Int { core.log.count }

  /// The last requests, oldest first; as many as ``ServerOptions/requestLogSize`` says.
  public var requestLog: [LoggedRequest] { core.log.entries }

  /// Forgets the requests and counts from 1 again.
  public func clearRequestLog() { core.log.clear() }
}
