import Foundation
import Synchronization

/// A process being measured. Its output goes to a file, so that nobody has to read it meanwhile.
final class TimedProcess: Sendable {
  struct End {
    /// The exit status, or 128 plus the signal number.
    var status: Int32
    var seconds: Double
    /// The processor time, of all its threads.
    var processorSeconds: Double
    /// The combined standard output and standard error.
    var output: String
    /// The peak memory in bytes.
    var peakMemory: Int
  }

  let id: pid_t
  private let output: String
  private let start = ContinuousClock.now

  init(_ words: [String], environment: [String: String], input: String = "") throws {
    let output = "/tmp/stories-bench-\(UUID().uuidString)"
    self.output = output
    try Data(input.utf8).write(to: URL(fileURLWithPath: output + ".in"))
    defer { unlink(output + ".in") }
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, output + ".in", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // A thread of Swift's blocks signals, which a child would inherit.
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let texts = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in texts + variables { free(pointer) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, words[0], &actions, &attributes, texts, variables)
    guard code == 0 else { throw BenchError("cannot start a program: error \(code)") }
    id = process
  }

  deinit { unlink(output) }

  var written: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

  /// Waits for the first line of output, which a server writes when it is ready.
  ///
  /// - Throws: `BenchError` after half a minute.
  func firstLine() throws -> String {
    for _ in 0..<6_000 {
      let text = written
      if let end = text.firstIndex(of: "\n") { return String(text[..<end]) }
      Thread.sleep(forTimeInterval: 0.005)
    }
    throw BenchError("a server did not start: \(written)")
  }

  /// The peak memory so far in bytes (`VmHWM` of proc(5)). `getrusage` would include the memory of
  /// this program at the time of the start.
  var peakMemory: Int {
    let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
  }

  /// Waits for the end of the process while another thread checks its memory every 10 ms.
  func wait() -> End {
    let watch = Mutex((peak: 0, isOver: false))
    Thread.detachNewThread { [self] in
      while true {
        let peak = peakMemory
        let isOver = watch.withLock { state in
          state.peak = max(state.peak, peak)
          return state.isOver
        }
        if isOver { return }
        usleep(10_000)
      }
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(id, &status, 0, &usage) < 0, errno == EINTR {}
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let peak = watch.withLock { state in
      state.isOver = true
      return state.peak
    }
    let signal = status & 0x7F
    let processorSeconds = [usage.ru_utime, usage.ru_stime].reduce(0.0) { sum, time in
      let microseconds = Double(time.tv_usec)
      return sum + Double(time.tv_sec) + microseconds / 1e6
    }
    return End(
      status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, seconds: seconds,
      processorSeconds: processorSeconds, output: written, peakMemory: peak)
  }

  /// Terminates the process and waits for it.
  func end() {
    kill(id, SIGTERM)
    _ = wait()
  }
}
