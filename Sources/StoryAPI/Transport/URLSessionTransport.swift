import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests with Foundation's URLSession over HTTP/1.1 and TLS.
///
/// It keeps connections open, and nothing else: no cookies, no cache, no stored credentials. A
/// redirect takes no `Authorization` to another origin, never leads from https to http, and stops
/// where it loops. An answer is collected in memory up to a limit, unless a ``BodySink`` takes it;
/// such requests have a session of their own, so that a slow sink holds up no other request. Either
/// session stops reading while its delegate is behind (see `BoundedQueue`): what was decoded and not
/// yet counted is never more than a few pieces, and a transfer ends as soon as a limit is passed.
public final class URLSessionTransport: Transport {
  private let whole: Lane
  private let streamed: Lane
  private let pins: KeyPins

  /// A session and the requests that are under way in it.
  private struct Lane: Sendable {
    let session: URLSession
    let exchanges: ExchangeTable
  }

  /// A transport with its own connections.
  ///
  /// - Parameters:
  ///   - answerLimit: the most bytes of an answer's body after decoding, if a request allows more.
  ///   - connections: the most connections to one server.
  ///   - pins: keys that servers must have. Where this system cannot check them nothing is sent to
  ///     such a server.
  public init(
    answerLimit: Int = .max, connections: Int = 6, pins: KeyPins = KeyPins()
  ) {
    self.pins = pins
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpCookieStorage = nil
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    configuration.httpMaximumConnectionsPerHost = connections
    func lane() -> Lane {
      let exchanges = ExchangeTable(answerLimit: answerLimit, pins: pins)
      return Lane(
        session: URLSession(
          configuration: configuration, delegate: exchanges, delegateQueue: BoundedQueue()),
        exchanges: exchanges)
    }
    whole = lane()
    streamed = lane()
  }

  deinit {
    whole.session.finishTasksAndInvalidate()
    streamed.session.finishTasksAndInvalidate()
  }

  /// Sends one request; see ``Transport/send(_:)``.
  ///
  /// Redirects are followed here and not by URLSession, which on Linux takes `Authorization` along
  /// to other origins and loses the body on the way.
  /// - Throws: `TransportError` as the protocol says.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    try await send(request, nil)
  }

  /// Sends one request once and hands its body over; see ``Transport/send(_:into:)``.
  ///
  /// - Throws: `TransportError` as the protocol says.
  public func send(
    _ request: HTTPRequest, into sink: any BodySink
  ) async throws(TransportError) -> HTTPResponse {
    try await send(request, sink)
  }

  private func send(
    _ request: HTTPRequest, _ sink: (any BodySink)?
  ) async throws(TransportError) -> HTTPResponse {
    var next = request
    var visited = [request.url]
    while true {
      let response = try await sendOnce(next, sink)
      guard [301, 302, 303, 307, 308].contains(response.status),
        let location = response.headers["Location"]
      else { return response }
      guard let target = URL(string: location, relativeTo: URL(string: next.url))?.absoluteString
      else { throw .network(.redirectRefused(target: ServerText.shown(Redaction.url(location)))) }
      switch RedirectRule.decide(
        request, status: response.status, target: target, visited: visited)
      {
      case .refuse(let failure): throw .network(failure)
      case .follow(let headers):
        next.url = target
        next.headers = headers
        visited.append(target)
      }
    }
  }

  private func sendOnce(
    _ request: HTTPRequest, _ sink: (any BodySink)?
  ) async throws(TransportError) -> HTTPResponse {
    guard !Task.isCancelled else { throw .cancelled }
    guard KeyPins.isCheckable || pins.digests(for: request.url) == nil else {
      throw .network(.pinNotCheckable)
    }
    guard let url = URL(string: request.url) else {
      throw .network(.other("This is no URL: \(ServerText.shown(Redaction.url(request.url)))"))
    }
    var message = URLRequest(url: url)
    message.httpMethod = request.method.rawValue
    message.timeoutInterval = request.timeout / .seconds(1)
    for field in request.headers.fields {
      message.setValue(field.value, forHTTPHeaderField: field.name)
    }
    if !request.body.isEmpty { message.httpBody = Data(request.body) }
    let lane = sink == nil ? whole : streamed
    let task = lane.session.dataTask(with: message)
    let watch = Task { await lane.exchanges.watch(task, limit: request.timeLimit) }
    let headWatch = Task {
      await lane.exchanges.watchHead(task, limit: request.timeout)
    }
    defer {
      watch.cancel()
      headWatch.cancel()
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        lane.exchanges.begin(
          Exchange(continuation: continuation, sink: sink, limit: request.answerLimit), as: task)
        task.resume()
      }
    } onCancel: {
      lane.exchanges.cancel(task)
    }
    return try result.get()
  }
}

/// One request under way.
private struct Exchange {
  let continuation: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>
  /// Who takes the body, once the head was seen to be of interest.
  let sink: (any BodySink)?
  /// The most bytes of the body that are collected here.
  var limit: Int
  var isStreamed = false
  /// The bytes of the request's body that went out.
  var sent: Int64 = 0
  /// The bytes of the body that came.
  var received = 0
  /// Whether no more of the body is wanted: what still comes is dropped.
  var isEnded = false
  var response: HTTPURLResponse?
  var body: [UInt8] = []
  var failure: NetworkFailure?

  /// Takes the head of an answer.
  mutating func begin(_ head: HTTPURLResponse?, limit most: Int) {
    response = head
    body = []
    limit = min(limit, most)
    if let head, head.statusCode >= 400 { limit = min(limit, HTTPRequest.errorLimit) }
  }

  /// Takes the next bytes of the body, up to the limit.
  ///
  /// - Returns: the sink, if they are its to take.
  mutating func take(_ data: Data) -> (any BodySink)? {
    received += data.count
    if isStreamed { return sink }
    if received <= limit {
      body.append(contentsOf: data)
    } else {
      end(.answerTooLarge(limit: limit))
    }
    return nil
  }

  /// Lets go of the body, of which no more is wanted.
  mutating func end(_ failure: NetworkFailure?) {
    self.failure = self.failure ?? failure
    isEnded = true
    body = []
  }
}

/// The session's delegate: collects the answers of all requests under way, by task.
private final class ExchangeTable: NSObject, URLSessionDataDelegate {
  private let answerLimit: Int
  private let pins: KeyPins
  private let exchanges = Mutex<[Int: Exchange]>([:])

  init(answerLimit: Int, pins: KeyPins) {
    self.answerLimit = answerLimit
    self.pins = pins
  }

  func begin(_ exchange: Exchange, as task: URLSessionTask) {
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    exchanges.withLock { $0[task.taskIdentifier]?.response = response }
    completionHandler(nil)
  }

  /// Ends a request whose connection broke before an answer.
  ///
  /// On Linux libcurl then sends it again by itself where the connection had been used before, and
  /// asks for the body once more. Whether a write may be sent again is not its decision, and
  /// URLSession could not give it the body anyway: it would wait for the timeout instead.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    exchanges.withLock { $0[task.taskIdentifier]?.failure = .connectionLost }
    completionHandler(nil)
    cancel(task)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let head = response as? HTTPURLResponse
    let sink = exchanges.withLock { table in
      table[dataTask.taskIdentifier]?.begin(head, limit: answerLimit)
      return table[dataTask.taskIdentifier]?.sink
    }
    if let head, let sink, sink.begin(Self.message(head)) {
      exchanges.withLock { $0[dataTask.taskIdentifier]?.isStreamed = true }
    }
    completionHandler(.allow)
  }

  #if canImport(Security)
    /// Takes a server's key only where it is one of those that are pinned for it.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      guard let trust = challenge.protectionSpace.serverTrust,
        let pinned = pins.digests(for: task.currentRequest?.url?.absoluteString ?? "")
      else { return completionHandler(.performDefaultHandling, nil) }
      if let found = ServerKey.digests(of: trust), !found.isDisjoint(with: pinned) {
        return completionHandler(.useCredential, URLCredential(trust: trust))
      }
      exchanges.withLock { $0[task.taskIdentifier]?.failure = .pinMismatch }
      completionHandler(.cancelAuthenticationChallenge, nil)
    }
  #endif

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    // What comes after the end of interest is on its way already, and dropped. Nothing is asked of
    // the task here: on Linux it would answer on the queue that may be waiting for this one.
    let (sink, isTooLarge) = exchanges.withLock { table -> ((any BodySink)?, Bool) in
      guard table[dataTask.taskIdentifier]?.isEnded == false else { return (nil, false) }
      let sink = table[dataTask.taskIdentifier]?.take(data) ?? nil
      return (sink, table[dataTask.taskIdentifier]?.isEnded == true)
    }
    if isTooLarge { cancel(dataTask) }
    guard let sink, !data.withUnsafeBytes(sink.take) else { return }
    exchanges.withLock { $0[dataTask.taskIdentifier]?.end(nil) }
    cancel(dataTask)
  }

  /// Ends a request that takes too long: one whose answer is not complete after `limit`, or whose sink
  /// got too little of it during another `limit`.
  func watch(_ task: URLSessionTask, limit: Duration) async {
    var before = 0
    while (try? await Task.sleep(for: limit)) != nil {
      let isTooSlow = exchanges.withLock { table -> Bool in
        guard let exchange = table[task.taskIdentifier] else { return false }
        if exchange.isStreamed, exchange.received - before >= HTTPRequest.leastBytes {
          before = exchange.received
          return false
        }
        table[task.taskIdentifier]?.end(.tooSlow(limit: limit))
        return true
      }
      if isTooSlow { return cancel(task) }
    }
  }

  /// Ends a request that for `limit`, or at most twice that, has sent nothing and was told no head.
  ///
  /// On Linux, URLSession reports a redirect only after its whole body has arrived. It buffers that body
  /// in memory without a limit, and data that keeps arriving resets its timeout. It copies the buffer for
  /// each chunk, so little can arrive within this time.
  func watchHead(_ task: URLSessionTask, limit: Duration) async {
    var before: Int64?
    while (try? await Task.sleep(for: limit)) != nil {
      let isTooSlow = exchanges.withLock { table -> Bool? in
        guard let exchange = table[task.taskIdentifier], exchange.response == nil else {
          return nil
        }
        defer { before = exchange.sent }
        guard exchange.sent == before else { return false }
        table[task.taskIdentifier]?.end(.headTooSlow(limit: limit))
        return true
      }
      guard let isTooSlow else { return }
      if isTooSlow { return cancel(task) }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    exchanges.withLock { $0[task.taskIdentifier]?.sent += bytesSent }
  }

  /// How long a cancelled task may take to say that it ended.
  private static let grace = DispatchTimeInterval.seconds(1)

  /// Cancels a task, and ends its request even if the task never does.
  ///
  /// On Linux a task that is cancelled just as its answer begins may never report its end, and whoever
  /// waits for it would wait forever. Cancelling itself waits for the queue that reads, and so as long as
  /// a redirect's body keeps coming.
  func cancel(_ task: URLSessionTask) {
    let identifier = task.taskIdentifier
    Thread.detachNewThread { task.cancel() }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.grace) { [self] in
      guard var ended = exchanges.withLock({ $0.removeValue(forKey: identifier) }) else { return }
      ended.end(nil)
      ended.continuation.resume(returning: Self.outcome(of: ended, error: nil))
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let ended = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    guard var ended else { return }
    if ended.response == nil { ended.response = task.response as? HTTPURLResponse }
    ended.continuation.resume(returning: Self.outcome(of: ended, error: error))
  }

  private static func outcome(
    of exchange: Exchange, error: (any Error)?
  ) -> Result<HTTPResponse, TransportError> {
    if let failure = exchange.failure { return .failure(.network(failure)) }
    if exchange.isEnded { return .failure(.cancelled) }
    if let error {
      return .failure(TransportError(error, hasAnswer: exchange.response != nil))
    }
    guard let response = exchange.response else { return .failure(.network(.connectionLost)) }
    var message = message(response)
    message.body = exchange.body
    return .success(message)
  }

  /// The head of an answer.
  private static func message(_ response: HTTPURLResponse) -> HTTPResponse {
    var headers = HTTPHeaders()
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name] = value }
    }
    return HTTPResponse(
      status: response.statusCode, headers: headers, url: response.url?.absoluteString)
  }
}
