import Foundation
package import JSONText
package import Testing

/// A headless Chromium, driven over the pipes of its DevTools protocol: messages of JSON that end in NUL.
///
/// It has a profile of its own and reaches nothing but files and what it is told to open. Its calls wait
/// for answers.
package final class Chromium {
  /// The program, if it is installed.
  package static let program = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  /// The script of axe-core, which looks for faults that keep people from reading a page; `.ci/run`
  /// installs it.
  package static let axe = ProcessInfo.processInfo.environment["STORIES_AXE"]
  /// In CI nothing is skipped: without a browser the tests fail.
  package static let isExpected =
    program != nil || ProcessInfo.processInfo.environment["CI"] != nil

  /// It did not answer, or with an error.
  package struct Failure: Error {
    package var message: String
  }

  private let running: RunningProgram
  private let folder: TemporaryFolder
  private let input: Int32
  private let output: Int32
  private var received: [UInt8] = []
  private var events: [JSONValue] = []
  private var lastID = 0

  /// Starts a browser.
  package init() throws {
    guard let program = Self.program else { throw Failure(message: "Chromium is not installed") }
    folder = try TemporaryFolder(isOnDisk: true)
    let pipes = ["input", "output"].map { [folder] in folder.path($0) }
    for pipe in pipes where mkfifo(pipe, 0o600) != 0 { throw Failure(message: "mkfifo: \(errno)") }
    // Opened for both directions, so that neither side waits for the other.
    input = open(pipes[0], O_RDWR | O_CLOEXEC)
    output = open(pipes[1], O_RDWR | O_CLOEXEC)
    running = try RunningProgram(
      ProgramStart(
        words: [
          "/bin/sh", "-c", "exec \"$0\" \"$@\" 3<input 4>output", program, "--headless",
          "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
          "--no-first-run", "--disable-background-networking", "--disable-component-update",
          "--disable-sync", "--remote-debugging-pipe", "--user-data-dir=\(folder.path("profile"))",
          "about:blank",
        ],
        environment: [
          "HOME": folder.path, "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8",
          "TMPDIR": folder.path,
        ],
        folder: folder.path))
    running.send("")
  }

  deinit {
    if running.isRunning, (try? call("Browser.close")) == nil { running.signal(SIGKILL) }
    _ = running.wait()
    close(input)
    close(output)
  }

  /// Sends a command and waits for its result.
  @discardableResult
  package func call(
    _ method: String, _ parameters: JSONObject = [:], session: String? = nil
  ) throws -> JSONValue {
    lastID += 1
    var message: JSONObject = [
      "id": .number(JSONNumber(lastID)), "method": .string(method), "params": .object(parameters),
    ]
    if let session { message["sessionId"] = .string(session) }
    try send(JSONValue.object(message).compactBytes + [0])
    let id = lastID
    let answer = try next { $0["id"]?.integer == id }
    if let error = answer["error"] { throw Failure(message: "\(method): \(error.compactText)") }
    return answer["result"] ?? .null
  }

  /// Waits for an event of a page.
  package func wait(for method: String, session: String) throws -> JSONValue {
    if let place = events.firstIndex(where: { Self.isEvent($0, method, session) }) {
      return events.remove(at: place)
    }
    return try next { Self.isEvent($0, method, session) }
  }

  /// Returns and removes the events of a page that have come.
  package func takeEvents(session: String) -> [JSONValue] {
    defer { events.removeAll { $0["sessionId"]?.string == session } }
    return events.filter { $0["sessionId"]?.string == session }
  }

  private static func isEvent(_ message: JSONValue, _ method: String, _ session: String) -> Bool {
    message["method"]?.string == method && message["sessionId"]?.string == session
  }

  /// Reads up to a message; the others are kept as events.
  private func next(_ isWanted: (JSONValue) -> Bool) throws -> JSONValue {
    let deadline = Date(timeIntervalSinceNow: patience / .seconds(1))
    while true {
      while let end = received.firstIndex(of: 0) {
        let message = try JSONValue(parsing: Array(received[..<end]))
        received.removeFirst(end + 1)
        if isWanted(message) { return message }
        events.append(message)
      }
      var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 1_000) >= 0 || errno == EINTR else {
        throw Failure(message: "poll: \(errno)")
      }
      if waiting.revents & Int16(POLLIN) == 0 {
        guard running.isRunning, Date() < deadline else {
          throw Failure(message: "Chromium does not answer")
        }
        continue
      }
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(output, &chunk, chunk.count)
      if count > 0 { received += chunk[..<count] }
    }
  }

  private func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(message: "write: \(errno)") }
      rest = rest.dropFirst(count)
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// For tests that need a browser.
  package static var withChromium: Self {
    .enabled(if: Chromium.isExpected, "Chromium is not installed (Debian: chromium)")
  }

  /// For tests that need axe-core in a browser.
  package static var withAxe: Self {
    .enabled(
      if: Chromium.axe != nil || ProcessInfo.processInfo.environment["CI"] != nil,
      "STORIES_AXE names no axe.min.js (pip install --no-deps axe-playwright-python)")
  }
}
