import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests with Foundation's URLSession over HTTP/1.1 and TLS.
///
/// It only keeps connections open: there are no cookies, cache or stored credentials. Redirects do
/// not carry `Authorization` to another origin, never lead from https to http, and stop at loops.
/// Response bodies are collected in memory up to a limit, unless a ``BodySink`` receives them; such
/// requests have a separate session, so that a slow sink does not delay others. Both sessions stop
/// reading while their delegate is busy (see `BoundedQueue`): at most a few chunks are decoded and
/// not yet counted, and a transfer ends as soon as a limit is exceeded.
public final class URLSessionTransport: Transport {
  private typealias Lane = (session: URLSession, exchanges: ExchangeTable)

  private let whole: Lane
  private let streamed: Lane
  private let pins: KeyPins

  /// Creates a transport with its own connections.
  ///
  /// - Parameters:
  ///   - connections: The maximum number of connections to one server.
  ///   - pins: The required keys of servers. Without support for checks, nothing is sent to them.
  public init(connections: Int = 6, pins: KeyPins = KeyPins()) {
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
      let exchanges = ExchangeTable(pins: pins)
      let session = URLSession(
        configuration: configuration, delegate: exchanges, delegateQueue: BoundedQueue())
      return (session, exchanges)
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
  /// Redirects are followed here and not by URLSession, which on Linux sends `Authorization` to
  /// other origins and loses the body.
  /// - Throws: `TransportError`, as in the protocol.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    try await send(request, nil)
  }

  /// Sends one request and passes its body on; see ``Transport/send(_:into:)``.
  ///
  /// - Throws: `TransportError`, as in the protocol.
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
      do throws(NetworkFailure) {
        next.headers = try RedirectRule.headers(
          request, status: response.status, target: target, visited: visited)
      } catch {
        throw .network(error)
      }
      next.url = target
      visited.append(target)
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
    let headWatch = Task { await lane.exchanges.watchHead(task, limit: request.timeout) }
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

private struct Exchange {
  let continuation: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>
  /// The sink for the body, if it accepts the head.
  let sink: (any BodySink)?
  /// The maximum number of body bytes collected here.
  var limit: Int
  var isStreamed = false
  var sent: Int64 = 0
  var received = 0
  var isEnded = false
  var response: HTTPURLResponse?
  var body: [UInt8] = []
  var failure: NetworkFailure?

  mutating func begin(_ head: HTTPURLResponse?) {
    response = head
    body = []
    if let head, head.statusCode >= 400 { limit = min(limit, HTTPRequest.errorLimit) }
  }

  /// Receives the next bytes of the body, up to the limit.
  ///
  /// - Returns: The sink, if it should receive them.
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

  mutating func end(_ failure: NetworkFailure?) {
    self.failure = self.failure ?? failure
    isEnded = true
    body = []
  }
}

/// The session's delegate, which collects the responses of all current requests by task.
private final class ExchangeTable: NSObject, URLSessionDataDelegate {
  private let pins: KeyPins
  private let exchanges = Mutex<[Int: Exchange]>([:])

  init(pins: KeyPins) { self.pins = pins }

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

  /// Ends a request whose connection broke before a response.
  ///
  /// On Linux, libcurl repeats a request by itself if the connection had been used before, and
  /// requests the body again. Whether a write may be repeated is not its decision, and URLSession
  /// could not provide the body anyway: it would wait for the timeout.
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
      table[dataTask.taskIdentifier]?.begin(head)
      return table[dataTask.taskIdentifier]?.sink
    }
    if let head, let sink, sink.begin(Self.message(head)) {
      exchanges.withLock { $0[dataTask.taskIdentifier]?.isStreamed = true }
    }
    completionHandler(.allow)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(Security)
      // Accept a server's key only if it is one of those pinned for it.
      guard let trust = challenge.protectionSpace.serverTrust,
        let pinned = pins.digests(for: task.currentRequest?.url?.absoluteString ?? "")
      else { return completionHandler(.performDefaultHandling, nil) }
      if let found = ServerKey.digests(of: trust), !found.isDisjoint(with: pinned) {
        return completionHandler(.useCredential, URLCredential(trust: trust))
      }
      exchanges.withLock { $0[task.taskIdentifier]?.failure = .pinMismatch }
    #else
      // End a request that the server wants a name and a password for, or others, with that very
      // answer, which has come whole. URLSession would try what it has itself, which is nothing,
      // and never report the end.
      finish(task.taskIdentifier, challenge.failureResponse)
    #endif
    completionHandler(.cancelAuthenticationChallenge, nil)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    // Data that is already on its way is discarded. This must not access the task: on Linux, it
    // would respond on the queue that may be waiting for this one.
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

  /// Ends a request that is too slow: if its response is incomplete after `limit`, or if its sink
  /// received too little of it during another `limit`.
  func watch(_ task: URLSessionTask, limit: Duration) async {
    var before = 0
    await watch(task, limit: limit, .tooSlow(limit: limit)) { exchange in
      defer { before = exchange.received }
      return exchange.isStreamed && exchange.received - before >= HTTPRequest.leastBytes
    }
  }

  /// Ends a request that has sent nothing and received no head for `limit`, or at most twice that.
  ///
  /// On Linux, URLSession reports a redirect only after its whole body has arrived. It buffers that
  /// body in memory without a limit, and arriving data resets its timeout. It copies the buffer for
  /// each chunk, so little can arrive within this time.
  func watchHead(_ task: URLSessionTask, limit: Duration) async {
    var before: Int64?
    await watch(task, limit: limit, .headTooSlow(limit: limit)) { exchange in
      defer { before = exchange.sent }
      return exchange.response != nil || exchange.sent != before
    }
  }

  /// Checks a request after each `limit`, and ends it with `failure` if it makes no progress.
  private func watch(
    _ task: URLSessionTask, limit: Duration, _ failure: NetworkFailure,
    hasProgress: (Exchange) -> Bool
  ) async {
    while (try? await Task.sleep(for: limit)) != nil {
      let isTooSlow = exchanges.withLock { table -> Bool in
        guard let exchange = table[task.taskIdentifier], !hasProgress(exchange) else {
          return false
        }
        table[task.taskIdentifier]?.end(failure)
        return true
      }
      if isTooSlow { return cancel(task) }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    exchanges.withLock { $0[task.taskIdentifier]?.sent += bytesSent }
  }

  /// The maximum time for a cancelled task to report its end.
  private static let grace = DispatchTimeInterval.seconds(1)

  /// Cancels a task, and ends its request even if the task never reports its end.
  ///
  /// On Linux, a task that is cancelled just as its response begins may never report its end, and
  /// its caller would wait forever. Cancelling waits for the reading queue, and therefore for as
  /// long as a redirect's body keeps arriving.
  func cancel(_ task: URLSessionTask) {
    let identifier = task.taskIdentifier
    Thread.detachNewThread { task.cancel() }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.grace) { [self] in
      exchanges.withLock { $0[identifier]?.end(nil) }
      finish(identifier, nil)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    finish(task.taskIdentifier, task.response, error)
  }

  /// Returns the outcome of a request to its caller, unless that has happened already.
  ///
  /// - Parameter response: The response, if the delegate has received none.
  private func finish(
    _ identifier: Int, _ response: URLResponse?, _ error: (any Error)? = nil
  ) {
    guard let exchange = exchanges.withLock({ $0.removeValue(forKey: identifier) }) else { return }
    let outcome: Result<HTTPResponse, TransportError>
    let response = exchange.response ?? response as? HTTPURLResponse
    if let failure = exchange.failure {
      outcome = .failure(.network(failure))
    } else if exchange.isEnded {
      outcome = .failure(.cancelled)
    } else if let error {
      outcome = .failure(TransportError(error, hasAnswer: response != nil))
    } else if let response {
      var message = Self.message(response)
      message.body = exchange.body
      outcome = .success(message)
    } else {
      outcome = .failure(.network(.connectionLost))
    }
    exchange.continuation.resume(returning: outcome)
  }

  private static func message(_ response: HTTPURLResponse) -> HTTPResponse {
    var headers = HTTPHeaders()
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name] = value }
    }
    return HTTPResponse(
      status: response.statusCode, headers: headers, url: response.url?.absoluteString)
  }
}
