import StoryLibrary
import Testing

@Suite struct SHA256Tests {
  struct Vector: CustomTestStringConvertible {
    var name: String
    var message: String
    var digest: String
    var testDescription: String { name }
  }

  // NIST, "Example values" for SHA-256, and RFC 6234 section 8.5.
  @Test(
    "SHA-256 as FIPS 180-4 has it",
    arguments: [
      Vector(
        name: "empty", message: "",
        digest: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      Vector(
        name: "abc", message: "abc",
        digest: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      Vector(
        name: "two blocks", message: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        digest: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
      Vector(
        name: "112 bytes",
        message: "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
          + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        digest: "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
      Vector(
        name: "a million a", message: String(repeating: "a", count: 1_000_000),
        digest: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
  func sha256(_ vector: Vector) {
    let digest = SHA256.digest(vector.message)
    #expect(digest.text == vector.digest)
    #expect(Digest(vector.digest) == digest)
    #expect(digest.half.text == String(vector.digest.prefix(32)))
    #expect(HalfDigest(digest.half.text.utf8) == digest.half)
  }

  @Test func refusesWhatIsNoDigest() {
    #expect(Digest("e3b0") == nil)
    #expect(Digest(String(repeating: "g", count: 64)) == nil)
    #expect(HalfDigest("e3b0".utf8) == nil)
    #expect(HalfDigest(String(repeating: "x", count: 32).utf8) == nil)
  }
}
