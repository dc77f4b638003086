public import StoryServer

extension ServerOptions {
  /// How many requests the request log keeps; 0 keeps none.
  public var requestLogSize: Int {
    get { (hook as? FaultBoard)?.log.size ?? 0 }
    set { hook = FaultBoard(logSize: newValue) }
  }
}

extension StoryServer {
  /// Its faults and request log, which it has from the start if ``ServerOptions/requestLogSize`` is set.
  private var board: FaultBoard {
    if let board = hook as? FaultBoard { return board }
    let board = FaultBoard(logSize: 0)
    hook = board
    return board
  }

  /// Adds a fault; it counts requests from now on.
  @discardableResult
  public func addFault(_ rule: FaultRule) -> FaultID { board.add(rule) }

  /// Takes a fault back.
  public func removeFault(_ id: FaultID) { board.remove(id) }

  /// Takes all faults back.
  public func removeFaults() { board.removeAll() }

  /// How many requests a fault's rule has matched; `nil` where it was taken back.
  public func faultMatches(_ id: FaultID) -> Int? { board.matches(of: id) }

  /// How many requests have come in since the start or ``clearRequestLog()``.
  public var requestCount: Int { board.log.count }

  /// The last requests, oldest first; as many as ``ServerOptions/requestLogSize`` says.
  public var requestLog: [LoggedRequest] { board.log.entries }

  /// Forgets the requests and counts from 1 again.
  public func clearRequestLog() { board.log.clear() }
}
