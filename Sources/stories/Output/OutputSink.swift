import Foundation
import Synchronization

/// The destination of output: a file descriptor, or memory in tests.
///
/// Once the reader is gone (EPIPE) or writing fails, output is dropped, but started work is
/// finished.
final class OutputSink: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    var failure: Int32?
    var hasWritten = false
    var hasPassingLine = false
    /// The output held back, or `nil` if output is written at once.
    var held: [UInt8]?
  }

  private let state = Mutex(State())
  private let isBuffered: Bool
  private let send: @Sendable ([UInt8]) -> Int32

  /// The number of bytes from which a buffered sink sends its buffer.
  private static let bufferSize = 1 << 16

  /// Creates a sink.
  ///
  /// - Parameters:
  ///   - isBuffered: whether to collect bytes until there are many, or until ``flush()``.
  ///   - send: writes all bytes; returns 0, or the system's error number.
  init(isBuffered: Bool, send: @escaping @Sendable ([UInt8]) -> Int32) {
    self.isBuffered = isBuffered
    self.send = send
  }

  var hasWritten: Bool { state.withLock { $0.hasWritten } }

  /// The system's error number of the first failed write, or `nil`.
  var failure: Int32? { state.withLock { $0.failure } }

  /// Whether the reader is gone, as with `| head`.
  var isReaderGone: Bool { failure == EPIPE }

  func write(_ bytes: some Sequence<UInt8>) {
    state.withLock { state in
      state.hasWritten = true
      if state.held != nil {
        state.held?.append(contentsOf: bytes)
        return
      }
      wipe(&state)
      state.buffer += bytes
      if !isBuffered || state.buffer.count >= Self.bufferSize { sendBuffer(&state) }
    }
  }

  /// Holds back what is written from now on, but for temporary lines, until ``release()``.
  func hold() { state.withLock { $0.held = $0.held ?? [] } }

  /// Ends ``hold()`` and returns what was held back.
  func release() -> [UInt8] {
    state.withLock { state in
      defer { state.held = nil }
      return state.held ?? []
    }
  }

  /// Writes a temporary line over the previous one, which the next output removes.
  func pass(_ line: String) {
    state.withLock { state in
      state.buffer += Array("\(Self.wipeSequence)\(line)".utf8)
      state.hasPassingLine = true
      sendBuffer(&state)
    }
  }

  func wipe() {
    state.withLock { state in
      wipe(&state)
      sendBuffer(&state)
    }
  }

  private func wipe(_ state: inout State) {
    guard state.hasPassingLine else { return }
    state.hasPassingLine = false
    state.buffer += Array(Self.wipeSequence.utf8)
  }

  /// Moves to the start of the line and erases it (ECMA-48, sections 8.3.15 and 8.3.41).
  private static let wipeSequence = "\r\u{1B}[K"

  func flush() {
    state.withLock { sendBuffer(&$0) }
  }

  private func sendBuffer(_ state: inout State) {
    defer { state.buffer.removeAll(keepingCapacity: true) }
    guard !state.buffer.isEmpty, state.failure == nil else { return }
    let result = send(state.buffer)
    if result != 0 { state.failure = result }
  }
}
