#if os(Linux)
  import Foundation
  import JSONText
  import Synchronization
  import TestSupport
  import Testing

  /// Strangers who connect and say nothing, say it a byte at a time, or send what nobody asked for,
  /// while somebody who is signed in works.
  ///
  /// The figures are printed: `swift test --filter ServeLoadTests`.
  @Suite(.firstInTurn, .serialized) struct ServeLoadTests {
    private let folder: TemporaryFolder
    private let program: BuiltProgram

    init() throws {
      folder = try TemporaryFolder()
      program = try BuiltProgram(in: folder)
    }

    /// Measured against the same lists of a second server that nobody bothers, for the machine may be busy
    /// with other things, and up to five times, for they may come in bursts.
    @Test(arguments: ["127.0.0.1", "127.0.0.2"])
    func `a list answers within a second while strangers hold on`(_ source: String) async throws {
      let servers = try ["data", "idle"].map {
        try program.start(["serve", "--port", "0", "--data", $0])
      }
      defer {
        for server in servers {
          server.signal(SIGTERM)
          _ = server.wait()
        }
      }
      let ports = try servers.map {
        try #require($0.firstLine()?.split(separator: ":").last.flatMap { UInt16($0) })
      }
      let (slowest, idle) = try Self.lists(ports[0], beside: ports[1], underLoadFrom: source)
      let peak = try Self.peak(servers[0].identifier)
      print(
        "serve under load from \(source): slowest list \(slowest), \(idle) without load, peak"
          + " \(peak >> 20) MiB")
      #expect(slowest <= Self.bound(idle))
      #expect(peak <= 250_000_000)
    }

    /// A second; more where even a server without load takes long.
    private static func bound(_ idle: Duration) -> Duration { max(.seconds(1), idle * 10) }

    /// Somebody who is signed in and asks for lists; half of them on a connection of their own.
    private struct Reader {
      let port: UInt16
      let kept: Link
      let token: String

      init(_ port: UInt16) throws {
        self.port = port
        kept = try Link(port, patience: 600)
        let account = #"{"email":"ann@example.org","password":"correct horse"}"#
        let made = try kept.ask("POST", "/api/auth/sign-up", account, token: nil)
        token = try #require(
          try JSONValue(parsing: made.body)["data"]?["session"]?["token"]?.string)
        let heroes = (0..<100).map {
          #"{"method":"create","kind":"heroes","data":{"name":"Hero \#($0)","age":7,"traits":["brave"]}}"#
        }
        let batch = try kept.ask(
          "POST", "/api/batch", #"{"operations":[\#(heroes.joined(separator: ","))]}"#, token: token
        )
        try #require(batch.status == 200)
      }

      /// How long a list takes.
      func list(_ round: Int) throws -> Duration {
        try ContinuousClock().measure {
          let link = round % 2 == 0 ? kept : try Link(port, patience: 600)
          let list = try link.ask("GET", "/api/heroes?limit=100", nil, token: token)
          try #require(list.status == 200)
          #expect(list.body.count > 10_000)
        }
      }
    }

    /// The slowest list while 200 connections are silent, 64 drip, and 60 send 8 MB without a session, and
    /// the slowest of the other server, which is asked in turn.
    private static func lists(
      _ port: UInt16, beside other: UInt16, underLoadFrom source: String
    ) throws -> (loaded: Duration, idle: Duration) {
      let (reader, control) = (try Reader(port), try Reader(other))
      let load = Load(port, source)
      defer { load.stop() }
      waitUntil { load.attempts > 300 }
      var slowest = (loaded: Duration.zero, idle: Duration.zero)
      for _ in 0..<5 {
        slowest = (.zero, .zero)
        let end = ContinuousClock.now + .seconds(1)
        var round = 0
        while ContinuousClock.now < end || round < 6 {
          slowest.loaded = max(slowest.loaded, try reader.list(round))
          slowest.idle = max(slowest.idle, try control.list(round))
          round += 1
          usleep(20_000)
        }
        if slowest.loaded <= bound(slowest.idle) { break }
      }
      return slowest
    }

    /// The most memory that a process had at a time, in bytes.
    private static func peak(_ process: Int32) throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      return try #require(Int(line.split(separator: " ").dropLast().last ?? "")) * 1024
    }
  }

  /// The strangers, each on a thread of its own or one of many that a thread looks after.
  private final class Load: Sendable {
    private let isOver = Mutex(false)
    private let count = Mutex(0)
    private let group = DispatchGroup()

    init(_ port: UInt16, _ source: String) {
      run { [self] in
        // Silent ones, and those that send a head a byte at a time; whoever is cut off comes again.
        var silent: [Link?] = []
        var dripping: [Link?] = Array(repeating: nil, count: 64)
        while !over {
          while silent.count < 200 { silent.append(link(port, source)) }
          for (place, drip) in dripping.enumerated() where !(drip?.drip() ?? false) {
            dripping[place] = link(port, source)
          }
          usleep(20_000)
        }
      }
      for _ in 0..<60 {
        run { [self] in
          let body = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
          while !over {
            let link = link(port, source)
            link?.send(
              "POST /api/heroes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: 8000000\r\n\r\n")
            for _ in 0..<8 where link?.send(body) == true {}
            usleep(50_000)
          }
        }
      }
    }

    var attempts: Int { count.withLock { $0 } }
    private var over: Bool { isOver.withLock { $0 } }

    private func run(_ body: @escaping @Sendable () -> Void) {
      group.enter()
      Thread.detachNewThread { [group] in
        body()
        group.leave()
      }
    }

    private func link(_ port: UInt16, _ source: String) -> Link? {
      count.withLock { $0 += 1 }
      return try? Link(port, from: source)
    }

    func stop() {
      isOver.withLock { $0 = true }
      group.wait()
    }
  }

  /// A connection to 127.0.0.1, from a loopback address.
  private final class Link {
    struct Failure: Error {
      var what: String
    }

    private let descriptor: Int32

    /// - Parameter patience: how many seconds it waits to send or to receive.
    init(_ port: UInt16, from source: String = "127.0.0.1", patience: Int = 2) throws {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var limit = timeval(tv_sec: patience, tv_usec: 0)
      for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
        setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
      }
      guard Self.with(source, 0, { bind(descriptor, $0, $1) }) == 0,
        Self.with("127.0.0.1", port, { connect(descriptor, $0, $1) }) == 0
      else { throw Failure(what: String(cString: strerror(errno))) }
    }

    deinit { close(descriptor) }

    private static func with(
      _ address: String, _ port: UInt16,
      _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = port.bigEndian
      name.sin_addr.s_addr = inet_addr(address)
      return withUnsafePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }

    /// Sends all of it; `false` where the server hangs up or takes no more.
    @discardableResult func send(_ bytes: [UInt8]) -> Bool {
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }

    @discardableResult func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends one byte of a head that does not end; `false` where the server has hung up.
    func drip() -> Bool {
      var byte: UInt8 = 0
      let flags = Int32(MSG_DONTWAIT | MSG_PEEK)
      guard recv(descriptor, &byte, 1, flags) < 0, errno == EAGAIN else { return false }
      return send("G")
    }

    /// Sends a request and reads the answer.
    func ask(
      _ method: String, _ target: String, _ body: String?, token: String?
    ) throws -> (status: Int, body: [UInt8]) {
      var request = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
      if let token { request += "Authorization: Bearer \(token)\r\n" }
      if let body {
        request += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
      }
      guard send(request + "\r\n" + (body ?? "")) else { throw Failure(what: "cut off") }
      var answer: [UInt8] = []
      let end = Array("\r\n\r\n".utf8)
      while true {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { throw Failure(what: "no answer") }
        answer += chunk[..<count]
        guard let head = answer.firstRange(of: end) else { continue }
        let fields = String(decoding: answer[..<head.lowerBound], as: UTF8.self)
        guard let status = Int(fields.dropFirst(9).prefix(3)),
          let length = fields.firstMatch(of: /Content-Length: ([0-9]+)/).flatMap({ Int($0.1) })
        else { throw Failure(what: fields) }
        if answer.count >= head.upperBound + length {
          return (status, Array(answer[head.upperBound...]))
        }
      }
    }
  }
#endif
