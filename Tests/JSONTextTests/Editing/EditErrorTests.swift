import JSONText
import Testing

@Suite("Edits that are refused")
struct EditErrorTests {
  @Test("because there is no object", arguments: ["null", "[{}]", "\"a\""])
  func notAnObject(text: String) throws {
    let document = try JSONDocument(parsing: text)
    #expect(throws: JSONEditError.notAnObject) { try document.setting([("x", 1)]) }
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

  @Test("with a message")
  func messages() {
    #expect(JSONEditError.notAnObject.description == "the text’s value is not an object")
  }
}
