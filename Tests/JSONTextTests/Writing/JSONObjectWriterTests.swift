import JSONText
import Testing

@Suite struct JSONObjectWriterTests {
  @Test func `values, written texts and members of a document become one object`() throws {
    let other = try JSONDocument(parsing: #"{ "\u0061" : [1, 2.50], "last": {"x":null} }"#)
    let text = Array(#"-"kept \u00e9"-"#.utf8)
    var writer = JSONObjectWriter(reserving: 100)
    writer.append("a\"b", "line\n")
    for member in other.root.members { writer.append(member) }
    writer.append("text", written: text[1..<text.count - 1])
    writer.append("empty", written: Array("{}".utf8)[...])
    writer.append("end", ["y": [true, 1]])
    let written = writer.finish()
    #expect(
      String(decoding: written, as: UTF8.self)
        == #"{"a\"b":"line\n","\u0061" : [1, 2.50],"last": {"x":null},"text":"kept \u00e9","#
        + #""empty":{},"end":{"y":[true,1]}}"#)
    #expect(try JSONValue(parsing: written).object?.count == 6)
  }

  @Test func `an object without members, and one that begins with an empty object`() {
    #expect(JSONObjectWriter().finish() == Array("{}".utf8))
    var writer = JSONObjectWriter()
    writer.append("x", [:])
    writer.append("{", nil)
    #expect(String(decoding: writer.finish(), as: UTF8.self) == #"{"x":{},"{":null}"#)
  }
}
