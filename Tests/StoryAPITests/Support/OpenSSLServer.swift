import Foundation

/// `openssl s_server` with a certificate of its own making, on a free loopback port.
final class OpenSSLServer {
  static let path = "/usr/bin/openssl"
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

  let port: Int
  let certificate: String
  private let folder: String
  private let process = Process()

  init() throws {
    folder = NSTemporaryDirectory() + "stories-tls-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    certificate = folder + "/cert.pem"
    let key = folder + "/key.pem"
    let maker = Process()
    maker.executableURL = URL(fileURLWithPath: Self.path)
    maker.arguments = [
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
      "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate,
    ]
    maker.standardError = FileHandle.nullDevice
    maker.standardOutput = FileHandle.nullDevice
    let end = DispatchSemaphore(value: 0)
    maker.terminationHandler = { _ in end.signal() }
    try maker.run()
    end.wait()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: Self.path)
    // Port 0 is a free one; the program says which: “ACCEPT 127.0.0.1:40123”.
    process.arguments = [
      "s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www",
    ]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    var text = ""
    while !(text.contains("ACCEPT") && text.hasSuffix("\n")) {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { break }
      text += String(decoding: data, as: UTF8.self)
    }
    let digits = text.split(separator: "\n").last { $0.contains("ACCEPT") }?
      .split(separator: ":").last
    guard let port = digits.flatMap({ Int($0) }) else {
      throw ScriptedServer.Failure(what: "openssl said: \(text)")
    }
    self.port = port
  }

  deinit {
    // Not SIGTERM: a child inherits the signals that are blocked in the thread which starts it, and
    // the threads of tasks block most of them. Nobody waits: Foundation's wait from another thread
    // than the one that started the process may never end.
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(atPath: folder)
  }
}
