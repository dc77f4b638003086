import Foundation
import TestSupport
import JSONText

/// An answer as it came over the socket.
struct RawResponse {
  var status: Int
  var headers: [(name: String, value: String)]
  var body: [UInt8]

  /// The value of the only field of a name; `nil` where there is none or more than one.
  subscript(name: String) -> String? {
    let found = headers.filter { $0.name == name.lowercased() }
    return found.count == 1 ? found[0].value : nil
  }

  var json: JSONValue? { try? JSONDocument(parsing: body).root.value }
  var data: JSONValue? { json?["data"] }
  var errorCode: String? { json?["error"]?["code"]?.string }
  var text: String { String(decoding: body, as: UTF8.self) }
}

/// One TCP connection that sends what it is told and reads answers, and nothing cleverer.
final class RawClient {
  enum Failure: Error, Equatable {
    case connecting(Int32)
    /// The server closed the connection before an answer was whole; these bytes came.
    case closed(after: [UInt8])
    case timedOut
    case malformed(String)
  }

  private let descriptor: Int32
  private var buffer: [UInt8] = []

  /// Connects to a port of 127.0.0.1.
  ///
  /// - Parameters:
  ///   - source: the address to come from; any of 127.0.0.0/8 on Linux.
  ///   - buffer: for how many bytes the system has room that nobody has read yet.
  init(port: Int, from source: String? = nil, buffer: Int32? = nil) throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    if let source {
      address.sin_addr.s_addr = inet_addr(source)
      let isBound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      guard isBound else { throw Failure.connecting(errno) }
    }
    if var buffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, socklen_t(MemoryLayout<Int32>.size))
    }
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      // The object is complete: its deinit closes the socket.
      throw Failure.connecting(errno)
    }
    var timeout = timeval(tv_sec: Int(patience / .seconds(1)), tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
    var on: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(4))
  }

  deinit { close(descriptor) }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends bytes; that the server has hung up shows when an answer is read.
  func send(_ bytes: [UInt8]) {
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
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Says that nothing more will be sent.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads one answer.
  func receive(toHead isHead: Bool = false) throws -> RawResponse {
    let end = try headEnd()
    let head = String(decoding: buffer[..<end], as: UTF8.self)
    buffer.removeSubrange(..<(end + 4))
    var lines = head.components(separatedBy: "\r\n")
    let statusLine = lines.removeFirst()
    guard statusLine.hasPrefix("HTTP/1.1 "), let status = Int(statusLine.dropFirst(9).prefix(3))
    else { throw Failure.malformed(statusLine) }
    var response = RawResponse(status: status, headers: [], body: [])
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { throw Failure.malformed(line) }
      response.headers.append(
        (
          line[..<colon].lowercased(),
          line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        ))
    }
    if isHead || status == 304 || status == 204 || status < 200 { return response }
    guard let length = response["content-length"].flatMap({ Int($0) }) else {
      throw Failure.malformed("no Content-Length in \(head)")
    }
    while buffer.count < length {
      guard try fill() else {
        response.body = buffer
        throw Failure.closed(after: buffer)
      }
    }
    response.body = Array(buffer[..<length])
    buffer.removeSubrange(..<length)
    return response
  }

  /// Whether the server has closed the connection, with nothing left to read.
  func isClosed() throws -> Bool {
    guard buffer.isEmpty else { return false }
    return try !fill()
  }

  /// Waits for some bytes of an answer, and returns how many came: 0 where the server hangs up.
  func take(_ most: Int) throws -> Int {
    let before = buffer.count
    _ = try fill(most)
    return buffer.count - before
  }

  private func headEnd() throws -> Int {
    let separator = Array("\r\n\r\n".utf8)
    while true {
      if buffer.count >= 4 {
        for index in 0...(buffer.count - 4) where buffer[index] == 0x0D {
          if buffer[index..<index + 4].elementsEqual(separator) { return index }
        }
      }
      guard try fill() else { throw Failure.closed(after: buffer) }
    }
  }

  private func fill(_ most: Int = 1 << 16) throws -> Bool {
    var chunk = [UInt8](repeating: 0, count: most)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count > 0 {
      buffer += chunk[..<count]
      return true
    }
    if count < 0, errno == EAGAIN || errno == EWOULDBLOCK { throw Failure.timedOut }
    return false
  }
}
