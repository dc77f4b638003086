import Synchronization

/// Where bytes of output go: a file descriptor, or memory in tests.
///
/// Once the reader is gone (EPIPE) or the system refuses, what follows is dropped: work that has
/// begun is finished, whoever listens.
final class OutputSink: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    var failure: Int32?
    var hasWritten = false
    var hasPassingLine = false
  }

  private let state = Mutex(State())
  private let isBuffered: Bool
  private let send: @Sendable ([UInt8]) -> Int32

  /// From how many bytes on a buffered sink sends what it has.
  private static let bufferSize = 1 << 16

  /// A sink.
  ///
  /// - Parameters:
  ///   - isBuffered: whether bytes wait until they are many, or until ``flush()``.
  ///   - send: writes all bytes; returns 0, or the system's error number.
  init(isBuffered: Bool, send: @escaping @Sendable ([UInt8]) -> Int32) {
    self.isBuffered = isBuffered
    self.send = send
  }

  /// Whether anything was written.
  var hasWritten: Bool { state.withLock { $0.hasWritten } }

  /// The system's error number of the first write that failed; `nil` where none did.
  var failure: Int32? { state.withLock { $0.failure } }

  func write(_ bytes: some Sequence<UInt8>) {
    state.withLock { state in
      state.hasWritten = true
      wipe(&state)
      state.buffer += bytes
      if !isBuffered || state.buffer.count >= Self.bufferSize { sendBuffer(&state) }
    }
  }

  /// Writes a line over the passing one that is there, to be wiped away by whatever comes next.
  func pass(_ line: String) {
    state.withLock { state in
      state.buffer += Array("\(Self.wipeSequence)\(line)".utf8)
      state.hasPassingLine = true
      sendBuffer(&state)
    }
  }

  /// Removes the passing line, if there is one.
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

  /// Back to the start of the line, and erase it (ECMA-48, sections 8.3.15 and 8.3.41).
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

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension OutputSink {
  /// Whether an error number says that nobody reads any more, as behind `| head`.
  static func isReaderGone(_ code: Int32) -> Bool { code == EPIPE }
}
