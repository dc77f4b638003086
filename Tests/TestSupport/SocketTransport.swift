import Foundation
package import StoryAPI
import Synchronization

/// HTTP/1.1 over plain sockets with kept connections: what a test needs thousands of requests for.
package final class SocketTransport: Transport {
  private let port: Int
  private let idle = Mutex<[Int32]>([])
  /// Whether the network is gone.
  private let isCut: @Sendable () -> Bool

  package init(port: Int, isCut: @escaping @Sendable () -> Bool = { false }) {
    self.port = port
    self.isCut = isCut
  }

  deinit { idle.withLock { $0.forEach { close($0) } } }

  package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    if Task.isCancelled { throw .cancelled }
    return try answer(to: request)
  }

  /// Sends a request on this thread, and waits there for the answer.
  package func answer(to request: HTTPRequest) throws(TransportError) -> HTTPResponse {
    guard !isCut() else { throw .network(.refused) }
    let descriptor: Int32
    if let kept = keptConnection() { descriptor = kept } else { descriptor = try connect() }
    let result: (response: HTTPResponse, isKept: Bool)
    do throws(TransportError) {
      result = try exchange(request, descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    if result.isKept { idle.withLock { $0.append(descriptor) } } else { close(descriptor) }
    // A process that died meanwhile never saw the answer.
    guard !isCut() else { throw .network(.connectionLost) }
    return result.response
  }

  /// The connection that was used last, unless the server has closed it meanwhile.
  private func keptConnection() -> Int32? {
    while let kept = idle.withLock({ $0.popLast() }) {
      var byte: UInt8 = 0
      let count = recv(kept, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
      if count < 0, errno == EAGAIN { return kept }
      close(kept)
    }
    return nil
  }

  private func connect() throws(TransportError) -> Int32 {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      throw .network(.refused)
    }
    var on: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(4))
    var timeout = timeval(tv_sec: Int(patience / .seconds(1)), tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
    return descriptor
  }

  private func exchange(
    _ request: HTTPRequest, _ descriptor: Int32
  ) throws(TransportError) -> (response: HTTPResponse, isKept: Bool) {
    let parts = request.url.split(separator: "/", maxSplits: 2)
    let target = "/" + (parts.count > 2 ? parts[2] : "")
    var text = "\(request.method.rawValue) \(target) HTTP/1.1\r\n"
    if request.headers["Host"] == nil { text += "Host: 127.0.0.1:\(port)\r\n" }
    for field in request.headers.fields { text += "\(field.name): \(field.value)\r\n" }
    if !request.body.isEmpty || request.method != .get {
      text += "Content-Length: \(request.body.count)\r\n"
    }
    try sendAll(Array(text.utf8) + [0x0D, 0x0A] + request.body, descriptor)
    return try receive(descriptor, hasBody: request.method != .head)
  }

  private func sendAll(_ bytes: [UInt8], _ descriptor: Int32) throws(TransportError) {
    var sent = 0
    while sent < bytes.count {
      #if canImport(Glibc)
        let flags = Int32(MSG_NOSIGNAL)
      #else
        let flags: Int32 = 0
      #endif
      let count = bytes.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, flags)
      }
      guard count > 0 else { throw .network(.connectionLost) }
      sent += count
    }
  }

  private func receive(_ descriptor: Int32, hasBody: Bool) throws(TransportError) -> (
    response: HTTPResponse, isKept: Bool
  ) {
    var bytes: [UInt8] = []
    var headEnd: Int?
    while headEnd == nil {
      let old = max(0, bytes.count - 3)
      guard try fill(&bytes, descriptor) else { throw .network(.connectionLost) }
      var index = old
      while index + 3 < bytes.count, headEnd == nil {
        if bytes[index] == 0x0D, bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D {
          headEnd = index
        }
        index += 1
      }
    }
    let end = headEnd ?? 0
    let lines = bytes[..<end].split(separator: 0x0A).map {
      String(decoding: $0.filter { $0 != 0x0D }, as: UTF8.self)
    }
    let parts = (lines.first ?? "").split(separator: " ")
    guard parts.count > 1, let status = Int(parts[1]) else {
      throw .network(.other("no status line"))
    }
    var response = HTTPResponse(status: status)
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      response.headers[String(line[..<colon])] = String(
        line[line.index(after: colon)...].drop { $0 == " " })
    }
    let isEmpty = !hasBody || [204, 304].contains(status)
    let length = isEmpty ? 0 : response.headers["Content-Length"].flatMap { Int($0) } ?? 0
    var body = Array(bytes[(end + 4)...])
    while body.count < length {
      guard try fill(&body, descriptor) else { throw .network(.truncated) }
    }
    response.body = body
    return (response, response.headers["Connection"]?.lowercased() != "close")
  }

  private func fill(_ bytes: inout [UInt8], _ descriptor: Int32) throws(TransportError) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count < 0, errno == EAGAIN { throw .network(.timedOut) }
    guard count > 0 else { return false }
    bytes += chunk[..<count]
    return true
  }
}
