import JSONText
import Testing

@Suite("Edits that are refused")
struct EditErrorTests {
  @Test(
    "because there is no object",
    arguments: [
      ("null", []), ("[{}]", []), ("\"a\"", []), ("{\"a\": 1}", ["a"]),
      ("{\"a\": [{}]}", ["a"]), ("{\"a\": {\"b\": null}}", ["a", "b"]),
    ] as [(String, [String])])
  func notAnObject(text: String, path: [String]) throws {
    let document = try JSONDocument(parsing: text)
    #expect(throws: JSONEditError.notAnObject(path: path)) {
      try document.setting([("x", 1)], at: path)
    }
  }

  @Test("because the path leads through a scalar")
  func throughScalar() throws {
    let document = try JSONDocument(parsing: "{\"a\": {\"b\": 1}}")
    #expect(throws: JSONEditError.notAnObject(path: ["a", "b"])) {
      try document.setting([("x", 1)], at: ["a", "b", "c"])
    }
  }

  @Test("because the path leads nowhere")
  func missing() throws {
    let document = try JSONDocument(parsing: "{\"a\": {\"e\u{301}\": {}}}")
    #expect(throws: JSONEditError.noSuchMember(path: ["b"])) {
      try document.setting([("x", 1)], at: ["b", "c"])
    }
    // Names are compared by their scalars.
    #expect(throws: JSONEditError.noSuchMember(path: ["a", "\u{E9}"])) {
      try document.setting([("x", nil)], at: ["a", "\u{E9}"])
    }
  }

  @Test("because the result would nest too deep")
  func tooDeep() throws {
    let document = try JSONDocument(parsing: "{}")
    let deepest = (1..<JSONDocument.maximumDepth - 1).reduce([] as JSONValue) { inner, _ in [inner]
    }
    #expect(try document.setting([("x", deepest)]).root["x"]?.value == deepest)
    #expect {
      try document.setting([("x", [deepest])])
    } throws: { error in
      guard case JSONEditError.limitExceeded(let error)? = error as? JSONEditError else {
        return false
      }
      return error.reason == .tooDeep(limit: JSONDocument.maximumDepth)
    }
  }

  @Test("with a message that names the place")
  func messages() {
    #expect(JSONEditError.notAnObject(path: []).description == "the text’s value is not an object")
    #expect(
      JSONEditError.notAnObject(path: ["a", "b"]).description
        == "member \"a.b\" is not an object")
    #expect(JSONEditError.noSuchMember(path: ["a"]).description == "there is no member \"a\"")
  }
}
