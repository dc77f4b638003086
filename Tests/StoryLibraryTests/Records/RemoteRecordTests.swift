import JSONText
import Testing

@testable import StoryLibrary

@Suite("Records from a server")
struct RemoteRecordTests {
  @Test("the person's part and the rest")
  func parts() throws {
    let record = try RemoteRecord(
      kind: .heroes,
      wire: [
        "id": "1", "createdAt": "c", "name": "Luna", "age": 7, "traits": ["a"], "updatedAt": "u",
        "avatarUrl": "https://x/a.png?sig=secret", "nickname": ["odd"],
      ])
    #expect(record.id == "1")
    #expect(record.updatedAt == "u")
    #expect(record.createdAt == "c")
    #expect(record.fields.wire == ["name": "Luna", "age": 7, "traits": ["a"]])
    #expect(record.server.keys == ["createdAt", "avatarUrl", "nickname"])
    #expect(record.server["avatarUrl"] == "https://x/a.png")
    #expect(try RemoteRecord(kind: .heroes, wire: record.wire) == record)
  }

  @Test("no signature is kept, however deep the URL lies")
  func signatures() throws {
    let record = try RemoteRecord(
      kind: .stories,
      wire: [
        "id": "1", "updatedAt": "u", "title": "T", "heroId": "h", "content": "c",
        "audioUrl": "/media/1.mp3?X-Amz-Signature=secret#t",
        "hero": ["avatarUrl": "https://x/a?secret", "name": "What? Yes"],
        "illustrations": [["imageUrl": "https://x/b\u{301}?secret"], ["imageUrl": nil]],
        "imageUrl": "https://x/c?\u{301}secret",
      ])
    #expect(!JSONValue.object(record.server).compactText.contains("secret"))
    #expect(record.server["hero"]?["name"] == "What? Yes")
    #expect(record.server["audioUrl"] == "/media/1.mp3")
  }

  @Test(
    "what is no record",
    arguments: [
      NamedCase("no id", ["id": nil]), NamedCase("an empty id", ["id": ""]),
      NamedCase("a number for an id", ["id": 1]), NamedCase("no version", ["updatedAt": nil]),
      NamedCase("a name that is no string", ["name": 7]), NamedCase("no name", ["name": nil]),
      NamedCase("an age that is no number", ["age": "7"]), NamedCase("no age", ["age": nil]),
      NamedCase("traits that are no list", ["traits": "brave"]),
      NamedCase("a trait that is no string", ["traits": [1]]),
      NamedCase("no traits", ["traits": nil]),
    ] as [NamedCase<JSONObject>])
  func malformed(_ row: NamedCase<JSONObject>) throws {
    var wire: JSONObject = [
      "id": "1", "updatedAt": "u", "name": "Luna", "age": 7, "traits": ["brave"],
    ]
    _ = try RemoteRecord(kind: .heroes, wire: wire)
    for member in row.value.members { wire[member.key] = member.value }
    // Left out is as wrong as null.
    var without = wire
    for member in wire.members where member.value.isNull { without[member.key] = nil }
    for object in [wire, without] {
      #expect(throws: RemoteRecord.Malformation.self) {
        try RemoteRecord(kind: .heroes, wire: object)
      }
    }
  }

  @Test("null and absent are both fine")
  func absent() throws {
    let record = try RemoteRecord(
      kind: .stories,
      wire: [
        "id": "1", "updatedAt": "u", "eventType": nil, "title": "A", "heroId": "h", "content": "c",
      ])
    #expect(
      record.fields.wire == ["title": "A", "heroId": "h", "eventType": nil, "content": "c"])
    #expect(record.createdAt == "")
  }
}
