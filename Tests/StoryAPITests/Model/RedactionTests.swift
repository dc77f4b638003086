import JSONText
import Testing

@testable import StoryAPI

@Suite struct RedactionTests {
  @Test func `bodies are shown without secrets`() {
    let body =
      #"{"email":"a@b.c","Password":"p","inviteCode":"i","data":[{"refreshToken":"r","token":null}],"#
      + #""audioUrl":"https://u:p@m.example/a?X-Amz-Signature=1#f"}"#
    #expect(
      Redaction.body(Array(body.utf8))
        == #"{"email":"a@b.c","Password":"[redacted]","inviteCode":"[redacted]","data":[{"refreshToken":"[redacted]","token":null}],"#
        + #""audioUrl":"https://m.example/a"}"#)
    #expect(Redaction.body([]) == "")
    #expect(Redaction.body([0xFF, 0x00]) == "(2 bytes)")
    #expect(
      Redaction.body(Array(#""\#(String(repeating: "x", count: 9_999))""#.utf8)).count == 2_001)
  }

  @Test func `a request shows no secret however it is printed`() {
    let request = HTTPRequest(
      method: .get, url: "https://a.example/x?token=abc", headers: ["Authorization": "Bearer abc"],
      body: Array("abc".utf8))
    var dumped = ""
    dump(request, to: &dumped)
    dump(Session(token: Secret("abc"), refreshToken: Secret("abc")), to: &dumped)
    for text in [dumped, "\(request)", String(reflecting: request), "\(request.headers)"] {
      #expect(!text.contains("abc"))
    }
  }

  @Test(arguments: [
    (
      "a marked-secret-token-of-30-byte b marked-secret-token-of-30-byte",
      "a [redacted] b [redacted]"
    ),
    ("cut: “marked-secret-token-of…”", "cut: “[redacted]…”"),
    ("marked-secret-to", "[redacted]"), ("marked-secret", "marked-secret"),
    ("hunter2!", "[redacted]!"), ("hunter", "hunter"), ("short abc", "short abc"), ("", ""),
  ]) func `known secrets are found wherever they stand`(_ text: String, _ shown: String) {
    let secrets = ["marked-secret-token-of-30-byte", "hunter2", "abc"]
    #expect(Redaction.text(text, without: secrets) == shown)
  }

  @Test(arguments: [
    ("https://u:p@m.example/a@b?c#d", "https://m.example/a@b"), ("u:p@m.example/a", "m.example/a"),
    ("https:/u:p@m.example", "https:/m.example"), ("u:p@m.example:/a", "m.example:/a"),
    ("m.example/a@b", "m.example/a@b"),
  ]) func `URLs are shown without user, password and query`(_ url: String, _ shown: String) {
    #expect(Redaction.url(url) == shown)
  }

  @Test(arguments: [
    ("a\tb\r\nc", #"a\tb\r\nc"#), ("\u{9B}31m", #"\u{9b}31m"#), ("\u{2028}", #"\u{2028}"#),
    ("\u{7F}", #"\u{7f}"#), ("né e\u{301} 🦊", "né e\u{301} 🦊"),
  ]) func `text is made harmless`(_ text: String, _ shown: String) {
    #expect(ServerText.shown(text) == shown)
  }
}
