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
/// such requests have a session of their own, which stops reading while the sink is behind.
public final class URLSessionTransport: Transport {
  /// The most bytes of an answer's body, where nothing else is said: 64 MiB.
  public static let answerLimit = 64 << 20

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
  ///   - answerLimit: the most bytes of an answer's body after undoing compression.
  ///   - connections: the most connections to one server.
  ///   - pins: keys that servers must have. Where this system cannot check them nothing is sent to
  ///     such a server.
  public init(
    answerLimit: Int = answerLimit, connections: Int = 6, pins: KeyPins = KeyPins()
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
    func lane(_ queue: OperationQueue?) -> Lane {
      let exchanges = ExchangeTable(answerLimit: answerLimit, pins: pins)
      return Lane(
        session: URLSession(
          configuration: configuration, delegate: exchanges, delegateQueue: queue),
        exchanges: exchanges)
    }
    whole = lane(nil)
    streamed = lane(BoundedQueue())
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
      else { throw .network(.redirectRefused(target: ServerText.shown(location))) }
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
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        lane.exchanges.begin(Exchange(continuation: continuation, sink: sink), as: task)
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
    return try result.get()
  }
}

/// One request under way.
private struct Exchange {
  let continuation: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>
  /// Who takes the body, once the head was seen to be of interest.
  let sink: (any BodySink)?
  var isStreamed = false
  /// Whether the sink wants no more.
  var isEnded = false
  var response: HTTPURLResponse?
  var body: [UInt8] = []
  var failure: NetworkFailure?
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
    Self.end(task)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let head = response as? HTTPURLResponse
    let sink = exchanges.withLock { table in
      table[dataTask.taskIdentifier]?.response = head
      table[dataTask.taskIdentifier]?.body.removeAll()
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
    let sink = exchanges.withLock { table in
      table[dataTask.taskIdentifier].flatMap { $0.isStreamed ? $0.sink : nil }
    }
    if let sink {
      // What comes after the end of interest is on its way already, and dropped. Nothing is asked of
      // the task here: on Linux it would answer on the queue that may be waiting for this one.
      guard !isEnded(dataTask), !data.withUnsafeBytes(sink.take) else { return }
      exchanges.withLock { $0[dataTask.taskIdentifier]?.isEnded = true }
      return Self.end(dataTask)
    }
    let isTooLarge = exchanges.withLock { table -> Bool in
      guard let held = table[dataTask.taskIdentifier]?.body.count else { return true }
      guard held + data.count <= answerLimit else {
        table[dataTask.taskIdentifier]?.failure = .answerTooLarge(limit: answerLimit)
        return true
      }
      table[dataTask.taskIdentifier]?.body.append(contentsOf: data)
      return false
    }
    if isTooLarge { Self.end(dataTask) }
  }

  private func isEnded(_ task: URLSessionTask) -> Bool {
    exchanges.withLock { $0[task.taskIdentifier]?.isEnded ?? true }
  }

  /// Cancels a task from within its delegate: on Linux cancelling waits for the queue that may be
  /// waiting for this one.
  private static func end(_ task: URLSessionTask) {
    DispatchQueue.global().async { task.cancel() }
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
