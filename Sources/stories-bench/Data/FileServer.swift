import Foundation
import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server on loopback that has stories with very large narrations: their bytes are made up as they
/// are sent, so that neither a disk nor much memory stands behind them.
///
/// It knows no more of the contract than `stories media pull` asks for. Each connection has a thread.
final class FileServer: Sendable {
  let url: String
  /// The bytes of each narration.
  let fileSize: Int
  private let listener: Int32

  /// The server's id of a story.
  static func id(_ number: Int) -> String { "bench-story-\(number)" }

  /// Where the narration of a story is.
  static func narration(_ number: Int) -> String { "/media/\(number).wav" }

  /// Starts a server on a free port.
  ///
  /// - Throws: `FileError` where the system gives none.
  init(fileSize: Int) throws {
    self.fileSize = fileSize
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw FileError(.read, path: "127.0.0.1", code: errno) }
    self.listener = listener
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    // A program that goes away in the middle is no reason to end.
    signal(SIGPIPE, SIG_IGN)
    Thread.detachNewThread { [self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        Thread.detachNewThread { [self] in serve(connection) }
      }
    }
  }

  /// Stops taking connections.
  func end() {
    _ = shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    var input: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let end: [UInt8] = [13, 10, 13, 10]
    while true {
      while let head = input.firstRange(of: end) {
        let line = String(decoding: input[..<head.lowerBound], as: UTF8.self)
        input.removeSubrange(..<head.upperBound)
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count == 3, answer(String(words[1]), connection) else { return }
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      input += buffer[..<count]
    }
  }

  private func answer(_ path: String, _ connection: Int32) -> Bool {
    if path.hasPrefix("/media/") { return sendFile(connection) }
    var body = #"{"error":{"code":"not-found","message":"no such thing"}}"#
    var status = "404 Not Found"
    func found(_ data: String) {
      (body, status) = (#"{"data":\#(data)}"#, "200 OK")
    }
    if path.hasPrefix("/api/health") {
      found(#"{"status":"healthy","version":"bench","features":[]}"#)
    } else if path.hasPrefix("/api/user/profile") {
      found(#"{"id":"bench","email":"bench@example.org","createdAt":"2026-11-20T10:00:00.000Z"}"#)
    } else if path.hasPrefix("/api/stories/bench-story-"), let number = path.last {
      found(
        """
        {"id":"bench-story-\(number)","title":"Long","content":"Long.","heroId":"bench-hero",\
        "audioUrl":"/media/\(number).wav","audioGenerationStatus":"completed","language":"en",\
        "createdAt":"2026-11-20T10:00:00.000Z","updatedAt":"2026-11-20T10:00:00.000Z"}
        """)
    }
    let head =
      "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
    return send(Array((head + body).utf8), connection)
  }

  private func sendFile(_ connection: Int32) -> Bool {
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nETag: \"bench\"\r\n"
      + "Content-Length: \(fileSize)\r\n\r\n"
    guard send(Array(head.utf8), connection) else { return false }
    let piece = [UInt8](repeating: 0x5A, count: 1 << 18)
    var left = fileSize
    while left > 0 {
      let count = min(left, piece.count)
      guard send(count == piece.count ? piece : Array(piece[..<count]), connection) else {
        return false
      }
      left -= count
    }
    return true
  }

  private func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        #if canImport(Glibc)
          let count = Glibc.send(connection, bytes.baseAddress! + sent, bytes.count - sent, 0)
        #else
          let count = Darwin.send(connection, bytes.baseAddress! + sent, bytes.count - sent, 0)
        #endif
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }
}
