import Foundation
import StoryServer
import TestSupport
import Testing

@testable import stories

/// The built program and a server behind TLS, with a certificate in the system's store: that is laid
/// over the store in a mount namespace of the program's own.
@Suite(
  .enabled(
    if: TLSFront.obstacle == nil, "https is not tried: \(TLSFront.obstacle ?? "") is missing"))
struct SecureServerTests {
  private let folder: TemporaryFolder
  private let server: TestServer
  private let front: TLSFront
  private let trusting: BuiltProgram

  init() throws {
    folder = try TemporaryFolder()
    server = try TestServer()
    let port = try #require(server.url.split(separator: ":").last.flatMap { Int($0) })
    front = try TLSFront(forwardingTo: port)
    var program = try BuiltProgram(in: folder)
    program.launcher = front.trusting
    trusting = program
  }

  @Test func fromSignUpToASyncedLibrary() throws {
    let url = front.url(.good)
    #expect(try trusting.run("init", "a", "--server", url).code == 0)
    let up = try trusting.run(
      "-C", "a", "sign-up", "--email", "a@example.org", "--password-stdin",
      input: TestServer.password + "\n")
    #expect(up.output == "Signed up to \(url) as a@example.org\n", "\(up.errors)")
    #expect(try trusting.run("-C", "a", "new", "hero", "Luna").code == 0)
    let sync = try trusting.run("-C", "a", "sync")
    #expect(sync.code == 0, "\(sync.errors)")
    #expect(sync.output.hasPrefix("Sent to \(url):\n  created  heroes/luna\n"))
    #expect(try folder.read(".config/stories/sessions.json").contains(url))
    #expect(try trusting.run("-C", "a", "sign-out").code == 0)
  }

  /// Which certificate, whether its authority is trusted, and why nothing is sent.
  @Test(arguments: [
    (TLSFront.Certificate.good, false, "certificate"),
    (.otherName, true, "does not match|no alternative"),
    (.expired, true, "expired"),
  ])
  func refuses(certificate: TLSFront.Certificate, isTrusted: Bool, reason: String) throws {
    var program = trusting
    if !isTrusted { program.launcher = [] }
    let run = try program.run(
      "--server", front.url(certificate), "sign-in", "--email", "a@example.org",
      "--password-stdin", "-v", input: TestServer.password + "\n")
    #expect(run.code == 6)
    #expect(run.output.isEmpty)
    let server = front.url(certificate)
    #expect(run.errors.contains("Error: no secure connection to \(server): "), "\(run.errors)")
    #expect(
      reason.split(separator: "|").contains { run.errors.contains($0) }, "\(run.errors)")
    #expect(run.errors.contains("Hint: check the server's certificate and this machine's clock"))
    #expect(run.errors.split(separator: "\n").count == 3, "it is final: nothing is sent again")
    #expect(self.server.server.requestLog.isEmpty)
  }
}
