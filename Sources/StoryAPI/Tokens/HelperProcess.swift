import Foundation
import Synchronization

/// A program that is given a text and answers with one.
struct HelperProcess {
  let arguments: [String]
  let environment: [String: String]

  /// Runs the program from the root folder, so that no repository's settings count.
  ///
  /// - Returns: what it printed; `nil` where it ended with an error.
  /// - Throws: `TokenStoreError.helper` where it cannot be run, takes longer than `patience`, or the
  ///   task is cancelled; it is ended then.
  func run(input: String, patience: Duration) async throws(TokenStoreError) -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = environment
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    let (stdin, stdout) = (Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = FileHandle.nullDevice
    let running = RunningProcess(process)
    let timer = Task {
      try await Task.sleep(for: patience)
      running.end()
    }
    defer { timer.cancel() }
    let output = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Reading blocks, so it has a thread of its own.
        Thread.detachNewThread {
          continuation.resume(returning: running.exchange(input, stdin, stdout))
        }
      }
    } onCancel: {
      running.end()
    }
    switch output {
    case .success(let text): return text
    case .failure(let error): throw error
    }
  }
}

/// A process that one thread waits for and others may end.
///
/// Unchecked: `Process` is used by the one thread that runs `exchange`, and by `end` only to send a
/// signal, under the lock and only while the process is known to run.
private final class RunningProcess: @unchecked Sendable {
  private enum Phase { case waiting, running, ended, cancelled }

  private let process: Process
  private let phase = Mutex(Phase.waiting)

  init(_ process: Process) { self.process = process }

  func end() {
    phase.withLock { phase in
      if phase == .running {
        // What the program started ends with it, where the system gave it a group of its own.
        let pid = process.processIdentifier
        if getpgid(pid) == pid { kill(-pid, SIGTERM) } else { process.terminate() }
      }
      if phase != .ended { phase = .cancelled }
    }
  }

  func exchange(_ input: String, _ stdin: Pipe, _ stdout: Pipe)
    -> Result<String?, TokenStoreError>
  {
    let name = process.arguments?.first ?? ""
    // Not `waitUntilExit`, which on Linux may miss the end where it is called from such a thread.
    let exit = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in exit.signal() }
    let problem = phase.withLock { phase -> TokenStoreError? in
      guard phase == .waiting else { return .helper("\(name) was cancelled") }
      do { try process.run() } catch { return .helper("\(name): \(error.localizedDescription)") }
      phase = .running
      return nil
    }
    if let problem { return .failure(problem) }
    // A program that ends without reading must not end this one: with the signal blocked in this
    // thread, which is the writing one, the write fails instead. Not before the start, for a child
    // inherits what is blocked.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    try? stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try? stdin.fileHandleForWriting.close()
    let output = (try? stdout.fileHandleForReading.readToEnd()) ?? Data()
    exit.wait()
    let wasCancelled = phase.withLock { phase in
      defer { phase = .ended }
      return phase == .cancelled
    }
    if wasCancelled { return .failure(.helper("\(name) did not answer in time")) }
    guard process.terminationStatus != 127 else {
      return .failure(.helper("\(name) is not installed"))
    }
    return .success(process.terminationStatus == 0 ? String(decoding: output, as: UTF8.self) : nil)
  }
}
