import JSONText
import StoryAPI
import StoryLibrary
import Testing

@Suite struct RemoteWriteTests {
  @Test func `a journal gives back the same write, body byte for byte`() throws {
    let body = try #require(
      try JSONValue(parsing: Array(#"{"age":7.0,"name":"é","n":12345678901234567890}"#.utf8)).object
    )
    let writes = [
      RemoteWrite(operation: .create, kind: .heroes, idempotencyKey: "k", body: body),
      RemoteWrite(
        operation: .update, kind: .stories, id: "s", revision: "r", idempotencyKey: "k", body: body),
      RemoteWrite(operation: .delete, kind: .events, id: "e", idempotencyKey: "k"),
    ]
    for write in writes {
      let text = write.json.compactBytes
      let read = try #require(RemoteWrite(json: JSONValue(parsing: text)))
      #expect(read == write)
      #expect(read.json.compactBytes == text)
      #expect(JSONValue.object(read.body).compactBytes == JSONValue.object(write.body).compactBytes)
    }
  }

  @Test(arguments: [
    "[]", "{}", #"{"operation":"create","kind":"heroes","body":{}}"#,
    #"{"operation":"make","kind":"heroes","idempotencyKey":"k","body":{}}"#,
    #"{"operation":"create","kind":"cats","idempotencyKey":"k","body":{}}"#,
    #"{"operation":"update","kind":"heroes","idempotencyKey":"k","body":{}}"#,
    #"{"operation":"create","kind":"heroes","idempotencyKey":"k","body":[]}"#,
  ]) func `nothing else is a write`(_ text: String) throws {
    #expect(RemoteWrite(json: try JSONValue(parsing: Array(text.utf8))) == nil)
  }
}
