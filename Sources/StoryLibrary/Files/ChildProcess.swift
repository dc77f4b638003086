import CPlatform
import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A child process that receives input and is waited for.
///
/// It is started with `posix_spawn(3)`, with no signals blocked regardless of the calling thread's
/// mask, and in its own process group, so that its descendants can be killed with it,
/// unless it is to use this process's terminal.
public struct ChildProcess: Sendable {
  /// The reason that a program produced no result.
  public enum Failure: Error, Sendable, Hashable {
    /// The system could not start it; `code` is the error number, ENOENT if there is no program.
    case notStarted(program: String, code: Int32)
    /// It exceeded its time limit and was killed.
    case timedOut(program: String)
    /// It exceeded its output limit and was killed.
    case tooMuchOutput(program: String)
  }

  /// The result of a program that ran to its end.
  public struct Result: Sendable, Hashable {
    /// The exit status, or 128 plus the signal number if a signal ended the program.
    public var status: Int32
    /// The contents of standard output.
    public var output: [UInt8]
  }

  /// The program, looked up in the absolute folders of this process's `PATH`, and its arguments.
  public var arguments: [String]
  /// The complete environment.
  public var environment: [String: String]

  /// This process's environment without secrets, for programs that it starts.
  ///
  /// Secrets are defined only here: `STORIES_TOKEN`, `STORIES_INVITE` and every `STORIES_…_KEY`.
  public static var inheritedEnvironment: [String: String] {
    var variables: [String: String] = [:]
    guard var place = stories_environment() else { return variables }
    while let variable = place.pointee {
      let text = String(cString: variable)
      if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      place += 1
    }
    return variables.filter { name, _ in
      name != "STORIES_TOKEN" && name != "STORIES_INVITE"
        && !(name.hasPrefix("STORIES_") && name.hasSuffix("_KEY"))
    }
  }

  /// Creates a process description without starting the program.
  public init(_ arguments: [String], environment: [String: String]) {
    self.arguments = arguments
    self.environment = environment
  }

  /// Runs the program and blocks until it exits. Standard error is discarded.
  ///
  /// - Parameters:
  ///   - input: The contents of standard input; the program need not read it.
  ///   - seconds: The time limit.
  ///   - limit: The maximum number of bytes of standard output.
  ///   - isCancelled: Checked five times a second; `true` kills the program as if it had timed out.
  /// - Throws: `Failure`.
  public func run(
    input: [UInt8] = [], seconds: Int = 60, limit: Int = 512 << 20,
    isCancelled: (() -> Bool)? = nil
  ) throws(Failure) -> Result {
    let program = arguments.first ?? ""
    // Unlike with pipes, writing to a socket whose reader has exited is an error and not a signal.
    guard let (stdin, childStdin) = Self.socketPair(),
      let (stdout, childStdout) = Self.socketPair()
    else { throw .notStarted(program: program, code: errno) }
    defer {
      close(stdin)
      close(stdout)
    }
    let (process, code) = start(stdin: childStdin, stdout: childStdout)
    close(childStdin)
    close(childStdout)
    guard let process else { throw .notStarted(program: program, code: code) }
    let output = Self.exchange(
      input, stdin: stdin, stdout: stdout, milliseconds: seconds * 1000, limit: limit, isCancelled)
    if output.map({ $0.count > limit }) ?? true { kill(-process, SIGKILL) }
    let status = Self.wait(process)
    guard let output else { throw .timedOut(program: program) }
    guard output.count <= limit else { throw .tooMuchOutput(program: program) }
    return Result(status: status, output: output)
  }

  /// Runs the program as ``run(input:seconds:limit:isCancelled:)`` does, on its own thread.
  package func runAlone(
    input: [UInt8], seconds: Int, isCancelled: (@Sendable () -> Bool)? = nil
  ) async -> Swift.Result<Result, Failure> {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "stories.child").async {
        continuation.resume(
          returning: Swift.Result { () throws(Failure) in
            try run(input: input, seconds: seconds, isCancelled: isCancelled)
          })
      }
    }
  }

  /// Starts the program without streams, in its own process group, and does not wait for it. It may
  /// run longer than this process: nothing that it writes is a broken pipe.
  package func startAlone() {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else { return }
    let (process, _) = start(stdin: null, stdout: null)
    close(null)
    guard let process else { return }
    // Otherwise it would stay in the list of processes after its end.
    DispatchQueue(label: "stories.child").async { _ = Self.wait(process) }
  }

  /// Runs the program in this process's group, with its streams and terminal, and waits for its end.
  ///
  /// - Parameter input: The contents of standard input; `nil` for this process's own.
  /// - Returns: The exit status, as in ``Result``, and whether the program took all of the input.
  /// - Throws: `Failure.notStarted`.
  package func runAttached(
    input: [UInt8]? = nil
  ) throws(Failure) -> (status: Int32, tookInput: Bool) {
    let program = arguments.first ?? ""
    guard let input else {
      let (process, code) = start(stdin: nil, stdout: nil)
      guard let process else { throw .notStarted(program: program, code: code) }
      return (Self.wait(process), true)
    }
    guard let (stdin, childStdin) = Self.socketPair() else {
      throw .notStarted(program: program, code: errno)
    }
    let (process, code) = start(stdin: childStdin, stdout: nil)
    close(childStdin)
    let isSent = process != nil && Self.sendAll(input, to: stdin)
    close(stdin)
    guard let process else { throw .notStarted(program: program, code: code) }
    return (Self.wait(process), isSent)
  }

  private static func sendAll(_ bytes: [UInt8], to socket: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { send(socket, $0.baseAddress, $0.count, quiet) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  private static func wait(_ process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  /// Returns two connected sockets that no child process inherits.
  package static func socketPair() -> (own: Int32, child: Int32)? {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    #if canImport(Darwin)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      var on: Int32 = 1
      setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return (ends[0], ends[1])
  }

  /// Starts the program and returns its process ID, or `nil` and the error number.
  ///
  /// - Parameters:
  ///   - stdin: Its standard input; `nil` for this process's own.
  ///   - stdout: Its standard output; `nil` for this process's streams and group.
  private func start(stdin: Int32?, stdout: Int32?) -> (process: pid_t?, code: Int32) {
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if let stdin { posix_spawn_file_actions_adddup2(&actions, stdin, 0) }
    if let stdout {
      posix_spawn_file_actions_adddup2(&actions, stdout, 1)
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    #if canImport(Glibc)
      // Without this, programs inherit the sockets of URLSession.
      stories_spawn_close_from(&actions, 3)
    #endif
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    if stdout != nil {
      flags |= POSIX_SPAWN_SETPGROUP
      #if canImport(Darwin)
        flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
      #endif
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var texts: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") }
    defer { for pointer in texts + variables { free(pointer) } }
    texts.append(nil)
    variables.append(nil)
    var process: pid_t = 0
    guard let program = Self.file(of: arguments.first ?? "") else { return (nil, ENOENT) }
    let code = posix_spawn(&process, program, &actions, &attributes, texts, variables)
    return code == 0 ? (process, 0) : (nil, code)
  }

  private static func file(of program: String) -> String? {
    if program.utf8.contains(UInt8(ascii: "/")) { return program }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return file(of: program, in: path)
  }

  /// Returns the first executable file with a name in the folders of `path`, as a shell does.
  ///
  /// Relative folders are skipped: they may be in a library.
  package static func file(of program: String, in path: String) -> String? {
    path.utf8.split(separator: UInt8(ascii: ":")).lazy
      .filter { $0.first == UInt8(ascii: "/") }
      .map { Path.join(String(Substring($0)), program) }
      .first { path in
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
          && access(path, X_OK) == 0
      }
  }

  /// Sends the input and reads the output to its end or past the limit. Returns `nil` on timeout.
  private static func exchange(
    _ input: [UInt8], stdin: Int32, stdout: Int32, milliseconds: Int, limit: Int,
    _ isCancelled: (() -> Bool)?
  ) -> [UInt8]? {
    let start = ContinuousClock.now
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var sent = 0
    if input.isEmpty { shutdown(stdin, Int32(SHUT_WR)) }
    while true {
      let left = .milliseconds(milliseconds) - (ContinuousClock.now - start)
      guard left > .zero, isCancelled?() != true else { return nil }
      var files = [
        pollfd(fd: stdout, events: Int16(POLLIN), revents: 0),
        pollfd(fd: sent < input.count ? stdin : -1, events: Int16(POLLOUT), revents: 0),
      ]
      let whole = Int32(clamping: left.components.seconds * 1000 + 1)
      let wait = isCancelled == nil ? whole : min(whole, 200)
      guard poll(&files, nfds_t(files.count), wait) > 0 else { continue }
      if files[1].revents != 0 {
        let count = input[sent...].withUnsafeBytes {
          send(stdin, $0.baseAddress, $0.count, quiet | Int32(MSG_DONTWAIT))
        }
        // A program that has stopped reading needs no more input.
        sent = count > 0 ? sent + count : input.count
        if sent == input.count { shutdown(stdin, Int32(SHUT_WR)) }
      }
      if files[0].revents != 0 {
        let count = read(stdout, &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return output }
        output += chunk[..<count]
        if output.count > limit { return output }
      }
    }
  }

  /// Sending to a program that has ended is an error and not a signal.
  #if canImport(Glibc)
    private static let quiet = Int32(MSG_NOSIGNAL)
  #else
    private static let quiet: Int32 = 0
  #endif
}
