import StoryLibrary
import Testing

@Suite("Words for a shell")
struct ShellWordTests {
  @Test(
    "only what a shell would change is quoted",
    arguments: [
      ("heroes/luna.json", "heroes/luna.json"), ("heroes/zoë", "heroes/zoë"), ("", "''"),
      ("a b", "'a b'"), ("a;touch x", "'a;touch x'"), ("$(touch x)", "'$(touch x)'"),
      ("`touch x`", "'`touch x`'"), ("it's", "'it'\\''s'"), ("-rf", "'-rf'"), ("{a,b}", "'{a,b}'"),
    ])
  func quoting(_ text: String, _ word: String) {
    #expect(ShellWord.quoting(text) == word)
    #expect(ShellWord.unquoting(word) == text)
  }
}
