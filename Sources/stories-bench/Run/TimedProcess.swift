import CPlatform
import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program under measurement: its time, its output and, where asked for, its peak memory.
///
/// Its output goes to a file, so that nobody has to read it while it runs.
final class TimedProcess {
  /// How it ended.
  struct End {
    /// The exit status; 128 and the signal's number where a signal ended it.
    var status: Int32
    /// From its start to its end.
    var seconds: Double
    /// The processor time that it took, in seconds.
    var processorSeconds: Double
    /// What it wrote to both of its outputs.
    var output: [UInt8]
    /// The most memory that it held, in bytes (`VmHWM`); 0 where nobody watched.
    var peakMemory: Int
  }

  let id: pid_t
  private let output: Int32
  private let start: ContinuousClock.Instant

  /// Starts a program.
  ///
  /// - Throws: `FileError` where the system does not start it.
  init(_ arguments: [String], environment: [String: String], input: String = "") throws {
    output = try Self.temporaryFile("")
    let stdin = try Self.temporaryFile(input)
    defer { close(stdin) }
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, stdin, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, output, 2)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var process: pid_t = 0
    start = .now
    let code = posix_spawnp(&process, arguments[0], &actions, nil, &words, &variables)
    guard code == 0 else { throw FileError(.read, path: arguments[0], code: code) }
    id = process
  }

  deinit { close(output) }

  private static func temporaryFile(_ text: String) throws -> Int32 {
    var template = Array("/tmp/stories-bench-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw FileError(.write, path: "/tmp", code: errno) }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let bytes = Array(text.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      throw FileError(.write, path: "/tmp", code: errno)
    }
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }

  /// Waits for its end.
  ///
  /// - Parameter watchesMemory: whether to look at its memory every millisecond; that takes time
  ///   from it, so its seconds are not to be used.
  func wait(watchesMemory: Bool = false) -> End {
    var status: Int32 = 0
    var usage = rusage()
    var peak = 0
    if watchesMemory {
      while wait4(id, &status, WNOHANG, &usage) == 0 {
        peak = max(peak, peakMemory)
        usleep(1_000)
      }
    } else {
      while wait4(id, &status, 0, &usage) < 0, errno == EINTR {}
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let signal = status & 0x7F
    return End(
      status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, seconds: seconds,
      processorSeconds: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime),
      output: written, peakMemory: peak)
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }

  /// What it has written so far.
  var written: [UInt8] {
    let size = Int(lseek(output, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: max(0, size))
    let count = pread(output, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }

  /// The most memory that it has held so far, in bytes.
  var peakMemory: Int {
    guard let text = try? FileSystem.read("/proc/\(id)/status") else { return 0 }
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n")
    where line.hasPrefix("VmHWM:") {
      return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }
    return 0
  }

  /// Asks it to end, and waits.
  func end() {
    kill(id, SIGTERM)
    _ = wait()
  }
}
