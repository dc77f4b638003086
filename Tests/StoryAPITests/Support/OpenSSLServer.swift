import Foundation
import TestSupport

/// `openssl s_server` with a certificate of its own making, on a free loopback port.
final class OpenSSLServer {
  static let path = "/usr/bin/openssl"
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

  let port: Int
  let certificate: String
  private let folder: String
  private let program: RunningProgram

  init() throws {
    folder = NSTemporaryDirectory() + "stories-tls-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    certificate = folder + "/cert.pem"
    let key = folder + "/key.pem"
    let maker = try RunningProgram(
      ProgramStart(
        words: [
          Self.path, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
          "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key,
          "-out", certificate,
        ], folder: folder))
    maker.send("")
    _ = maker.wait()
    // Port 0 is a free one; the program says which: “ACCEPT 127.0.0.1:40123”.
    program = try RunningProgram(
      ProgramStart(
        words: [
          Self.path, "s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key,
          "-www",
        ], folder: folder))
    let text = program.line(with: "ACCEPT") ?? ""
    let digits = text.split(separator: "\n").last { $0.contains("ACCEPT") }?
      .split(separator: ":").last
    guard let port = digits.flatMap({ Int($0) }) else {
      throw ScriptedServer.Failure(what: "openssl said: \(text)")
    }
    self.port = port
  }

  deinit {
    program.signal(SIGKILL)
    try? FileManager.default.removeItem(atPath: folder)
  }
}
