import JSONText
import Testing

@Suite struct JSONPartTests {
  @Test func `values and written texts become one text`() throws {
    let part: JSONPart = [
      "a\"b": .text("line\n"), "none": .text(nil), "n": .number(-7), "flag": true, "word": "é",
      "written": .written(Array("{\"z\":1.0}".utf8)), "value": .value(["x": [1, 2]]),
      "list": .array([.number(1), .object([]), .array([])]),
    ]
    let text =
      #"{"a\"b":"line\n","none":null,"n":-7,"flag":true,"word":"é","written":{"z":1.0},"#
      + #""value":{"x":[1,2]},"list":[1,{},[]]}"#
    #expect(String(decoding: part.bytes, as: UTF8.self) == text)
    #expect(try JSONValue(parsing: part.bytes).compactText == text)
  }
}
