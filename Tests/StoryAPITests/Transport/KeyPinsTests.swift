import TestSupport
import Testing

@testable import StoryAPI

@Suite(.inTurn) struct KeyPinsTests {
  private static let pin = "sha256/YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg="

  @Test func `where a key cannot be checked nothing is sent`() async throws {
    guard !KeyPins.isCheckable else { return }
    let server = try ScriptedServer { _, _ in .drop }
    var pins = KeyPins()
    try pins.add(Self.pin, for: ServerAddress("https://127.0.0.1:\(server.port)"))
    let transport = URLSessionTransport(pins: pins)
    await #expect(throws: TransportError.network(.pinNotCheckable)) {
      try await transport.send(
        HTTPRequest(
          method: .get, url: "https://127.0.0.1:\(server.port)/api/health", timeout: patience))
    }
    #expect(server.connections == 0)
    // Another server is not concerned.
    let plain = try ScriptedServer { _, _ in .answer(200, "{}") }
    let request = HTTPRequest(method: .get, url: plain.url, timeout: patience)
    #expect(try await transport.send(request).status == 200)
    #expect(NetworkFailure.pinNotCheckable.neverArrived)
  }

  @Test func `nor after a redirect to such a server`() async throws {
    guard !KeyPins.isCheckable else { return }
    let pinned = try ScriptedServer { _, _ in .drop }
    var pins = KeyPins()
    try pins.add(Self.pin, for: ServerAddress("https://127.0.0.1:\(pinned.port)"))
    let first = try ScriptedServer { _, _ in
      .answer(302, headers: ["Location": "https://127.0.0.1:\(pinned.port)/x"])
    }
    await #expect(throws: TransportError.network(.pinNotCheckable)) {
      try await URLSessionTransport(pins: pins).send(
        HTTPRequest(method: .get, url: first.url, timeout: patience))
    }
    #expect(pinned.connections == 0)
    #expect(first.requests.count == 1)
  }

  @Test(arguments: [
    "", "sha256/", "YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg=",
    "sha1/YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg=",
    "sha256/YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg",
    "sha256/YLh1dUR9y6Kja30RrAn7JKnbQG_uEtLMkBgFF2Fuihg=",
  ]) func `a text that is no pin is refused`(_ text: String) throws {
    var pins = KeyPins()
    #expect(throws: KeyPins.Problem.malformed(text)) {
      try pins.add(text, for: ServerAddress("https://a.example"))
    }
    #expect(pins.isEmpty)
  }

  @Test func `plain http has no key`() throws {
    var pins = KeyPins()
    #expect(throws: KeyPins.Problem.plainHTTP(origin: "http://localhost")) {
      try pins.add(Self.pin, for: ServerAddress("http://localhost"))
    }
  }

  @Test(arguments: [
    ("", "localhost,127.0.0.1,::1,[::1]"), ("*", "*"),
    ("intra.example, localhost", "intra.example,localhost,127.0.0.1,::1,[::1]"),
    ("localhost,127.0.0.1,::1,[::1]", "localhost,127.0.0.1,::1,[::1]"),
  ]) func `this machine is exempt from proxies`(_ list: String, _ result: String) {
    #expect(ProxyEnvironment.exempting(list) == result)
  }
}
