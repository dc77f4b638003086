import Foundation
import Synchronization

/// A server on a loopback port of its own that answers as a test says, byte for byte.
///
/// It stops when it is released; connections that hang are closed then.
package final class ScriptedServer: Sendable {
  /// One request as it arrived.
  package struct Request: Sendable {
    package var method: String
    package var target: String
    package var headers: [String: String]
    package var body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// What to do with a request.
  package enum Reply: Sendable {
    /// These bytes, then the connection stays open or is closed.
    case bytes([UInt8], closes: Bool = false)
    /// A head, then a piece so many times with a pause before each, and the end of the connection.
    case stream(
      head: String, piece: [UInt8], times: Int = .max, pause: Duration = .zero)
    /// The connection is closed without an answer.
    case drop
    /// The connection is reset, after these bytes (RFC 9293, section 3.10.5).
    case reset(after: [UInt8] = [])
    /// Nothing, until the server stops.
    case hang

    /// A whole answer.
    package static func answer(
      _ status: Int, _ body: String = "", headers: [String: String] = [:]
    ) -> Reply {
      .answer(status, bytes: Array(body.utf8), headers: headers)
    }

    /// A whole answer; the connection is closed after it where `headers` say so.
    package static func answer(_ status: Int, bytes: [UInt8], headers: [String: String] = [:])
      -> Reply
    {
      var head = "HTTP/1.1 \(status) Status\r\nContent-Length: \(bytes.count)\r\n"
      if headers["Content-Type"] == nil { head += "Content-Type: application/json\r\n" }
      for (name, value) in headers { head += "\(name): \(value)\r\n" }
      return .bytes(
        Array((head + "\r\n").utf8) + bytes, closes: headers["Connection"] == "close")
    }
  }

  private struct State {
    var requests: [Request] = []
    var connections: Set<Int32> = []
    var accepted = 0
    var isStopped = false
  }

  package let port: Int
  private let listener: Int32
  private let state = Shared()

  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  package struct Failure: Error {
    package var what: String

    package init(what: String) { self.what = what }
  }

  /// Starts answering with `script`, which gets the request and its number from 0.
  package init(_ script: @escaping @Sendable (Request, Int) -> Reply) throws {
    let listener = socket(AF_INET, Self.stream, 0)
    guard listener >= 0 else { throw Failure(what: "socket") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    guard bound else { throw Failure(what: "bind") }
    port = Int(UInt16(bigEndian: address.sin_port))
    self.listener = listener
    let shared = state
    Thread.detachNewThread {
      // Closed here alone: a number closed elsewhere could be another server's by the next accept.
      defer { close(listener) }
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        let isStopped = shared.state.withLock { state in
          state.connections.insert(connection)
          state.accepted += 1
          return state.isStopped
        }
        if isStopped { shutdown(connection, Self.both) }
        Thread.detachNewThread { Self.serve(connection, shared, script) }
      }
    }
  }

  deinit {
    state.state.withLock { state in
      state.isStopped = true
      for connection in state.connections { shutdown(connection, Self.both) }
    }
    shutdown(listener, Self.both)
  }

  package var url: String { "http://127.0.0.1:\(port)" }
  /// How many connections came so far.
  package var connections: Int { state.state.withLock { $0.accepted } }
  /// The requests so far, in the order of their arrival.
  package var requests: [Request] { state.state.withLock { $0.requests } }

  #if canImport(Darwin)
    private static let stream = SOCK_STREAM
    private static let both = SHUT_RDWR
    private static let noSignal: Int32 = 0
  #else
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let both = Int32(SHUT_RDWR)
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #endif

  private static func serve(
    _ connection: Int32, _ shared: Shared,
    _ script: @Sendable (Request, Int) -> Reply
  ) {
    defer {
      shared.state.withLock { _ = $0.connections.remove(connection) }
      close(connection)
    }
    var buffer: [UInt8] = []
    while let request = next(connection, &buffer) {
      let number = shared.state.withLock { state in
        state.requests.append(request)
        return state.requests.count - 1
      }
      switch script(request, number) {
      case .bytes(let bytes, let closes):
        guard write(bytes, to: connection), !closes else { return }
      case .stream(let head, let piece, let times, let pause):
        guard write(Array(head.utf8), to: connection) else { return }
        for _ in 0..<times {
          if pause > .zero { usleep(UInt32(pause / .microseconds(1))) }
          guard write(piece, to: connection) else { return }
        }
        return
      case .drop: return
      case .reset(let bytes):
        guard bytes.isEmpty || write(bytes, to: connection) else { return }
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
          connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        return
      case .hang:
        var byte: UInt8 = 0
        _ = recv(connection, &byte, 1, 0)
        return
      }
    }
  }

  private static func next(_ connection: Int32, _ buffer: inout [UInt8]) -> Request? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let head = buffer.firstRange(of: end) {
        let lines = String(decoding: buffer[..<head.lowerBound], as: UTF8.self)
          .components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
          guard let colon = line.firstIndex(of: ":") else { return nil }
          headers[line[..<colon].lowercased()] = line[line.index(after: colon)...]
            .trimmingCharacters(in: .whitespaces)
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        if buffer.count >= head.upperBound + length {
          let body = Array(buffer[head.upperBound..<head.upperBound + length])
          buffer.removeFirst(head.upperBound + length)
          return Request(method: words[0], target: words[1], headers: headers, body: body)
        }
      }
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = recv(connection, &chunk, chunk.count, 0)
      guard count > 0 else { return nil }
      buffer += chunk[..<count]
    }
  }

  private static func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { raw in
        send(connection, raw.baseAddress.map { $0 + sent }, bytes.count - sent, noSignal)
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}
