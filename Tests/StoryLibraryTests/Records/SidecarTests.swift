import JSONText
import Testing

@testable import StoryLibrary

@Suite("Sidecars")
struct SidecarTests {
  private static let base = FieldValues(
    kind: .stories, wire: ["title": "A", "heroId": "h1", "content": "a\nb", "playCount": 2])

  private static func sidecar(_ change: (inout Sidecar) -> Void = { _ in }) -> Sidecar {
    var sidecar = Sidecar(
      id: "s1", updatedAt: "2026-11-20T10:00:00.123456Z", base: base, refs: ["hero": "luna"],
      server: ["createdAt": "c", "audioUrl": nil])
    change(&sidecar)
    return sidecar
  }

  @Test(
    "written and read again",
    arguments: [
      NamedCase("plain", sidecar()),
      NamedCase("without refs", sidecar { $0.refs = [:] }),
      NamedCase("a stated delete", sidecar { $0.isDeleteStated = true }),
      NamedCase("deleted here", sidecar { $0.conflict = .deletedLocally }),
      NamedCase(
        "deleted here and edited on the server",
        sidecar {
          var other = base
          other[EntityKind.stories.schema.fields[0]] = "B"
          $0.setDeletedLocally(
            RemoteRecord(
              kind: .stories, id: "s1", updatedAt: "u2", fields: other, server: JSONObject()))
        }),
      NamedCase("deleted on the server", sidecar { $0.conflict = .deletedOnServer }),
      NamedCase(
        "fields in conflict",
        sidecar {
          $0.conflict = .fields(
            updatedAt: "u2",
            [
              .init(wireKey: "title", base: "A", server: "B"),
              .init(wireKey: "eventType", base: .null, server: .null),
            ])
        }),
      NamedCase("unknown members", sidecar { $0.unknown = ["x-note": ["a": [1, nil]]] }),
    ])
  func roundTrip(_ row: NamedCase<Sidecar>) throws {
    let bytes = row.value.fileBytes
    let again = try Sidecar(bytes: bytes, ref: "stories/x")
    #expect(again == row.value)
    #expect(again.fileBytes == bytes)
  }

  @Test("the text is canonical and holds nothing that is not said")
  func text() {
    let sidecar = Sidecar(
      id: "1", updatedAt: "u",
      base: FieldValues(kind: .heroes, wire: ["traits": ["a", "b"], "name": "Luna"]))
    #expect(
      sidecar.fileBytes.text == """
        {
          "id": "1",
          "updatedAt": "u",
          "base": {
            "name": "Luna",
            "traits": ["a", "b"]
          },
          "server": {}
        }

        """)
  }

  @Test("the oldest form may name itself")
  func version() throws {
    let sidecar = try Sidecar(
      bytes: #"{"version": 1, "id": "1", "updatedAt": "u", "base": {}}"#.bytes, ref: "heroes/x")
    #expect(sidecar == Sidecar(id: "1", updatedAt: "u", base: FieldValues(kind: .heroes)))
  }

  @Test("a conflict whose last field was taken out by hand is none")
  func settledByHand() throws {
    let text =
      #"{"id": "1", "updatedAt": "u", "base": {}, "conflict": {"updatedAt": "u", "fields": {}}}"#
    #expect(try Sidecar(bytes: text.bytes, ref: "heroes/x").conflict == nil)
  }

  struct Broken: Sendable {
    var text: String
    var at: String
    var what: Problem.What

    init(text: String, at: String, what: Problem.What) {
      (self.text, self.at, self.what) = (text, at, what)
    }

    init(text: String, at: String, _ fault: Sidecar.Fault) {
      self.init(text: text, at: at, what: .sidecar(fault))
    }
  }

  @Test(
    "what is none, and where",
    arguments: [
      NamedCase("empty", Broken(text: "", at: "1:1", what: .sidecarNotJSON(nil))),
      NamedCase(
        "conflict markers",
        Broken(text: "{\n<<<<<<< HEAD\n", at: "2:1", what: .markedSidecar)),
      NamedCase("an array", Broken(text: "\n[]", at: "2:1", .notAnObject(nil))),
      NamedCase(
        "a newer form",
        Broken(
          text: "{\n  \"version\": 2, \"news\": true}", at: "2:14",
          what: .newerSidecar(version: 2))),
      NamedCase(
        "a version of zero", Broken(text: #"{"version": 0}"#, at: "1:13", .wrongValue("version"))),
      NamedCase(
        "a version in words", Broken(text: #"{"version": "1"}"#, at: "1:13", .wrongValue("version"))
      ),
      NamedCase(
        "no id", Broken(text: #"{"updatedAt": "u", "base": {}}"#, at: "1:1", .missing("id"))),
      NamedCase(
        "an empty id",
        Broken(text: #"{"id": "", "updatedAt": "u", "base": {}}"#, at: "1:8", .wrongValue("id"))),
      NamedCase(
        "no version of the record",
        Broken(text: #"{"id": "1", "base": {}}"#, at: "1:1", .missing("updatedAt"))),
      NamedCase(
        "no base", Broken(text: #"{"id": "1", "updatedAt": "u"}"#, at: "1:1", .missing("base"))),
      NamedCase(
        "a base that is a list",
        Broken(
          text: #"{"id": "1", "updatedAt": "u", "base": []}"#, at: "1:39", .notAnObject("base"))),
      NamedCase(
        "a value of the wrong type in the base",
        Broken(
          text: #"{"id": "1", "updatedAt": "u", "base": {"age": "7"}}"#, at: "1:47",
          .wrongType("base.age", .wholeNumber, found: .string))),
      NamedCase(
        "refs that are a list",
        Broken(
          text: #"{"id": "1", "updatedAt": "u", "base": {}, "refs": []}"#, at: "1:51",
          .notAnObject("refs"))),
      NamedCase(
        "a ref that is a number",
        Broken(
          text: #"{"id": "1", "updatedAt": "u", "base": {}, "refs": {"a": 1}}"#, at: "1:57",
          .wrongValue("refs.a"))),
      NamedCase(
        "a server part that is a string",
        Broken(
          text: #"{"id": "1", "updatedAt": "u", "base": {}, "server": "x"}"#, at: "1:53",
          .notAnObject("server"))),
      NamedCase(
        "a delete that is neither",
        Broken(
          text: #"{"id": "1", "updatedAt": "u", "base": {}, "delete": "yes"}"#, at: "1:53",
          .wrongValue("delete"))),
      NamedCase(
        "a conflict in words",
        Broken(
          text: #"{"id": "1", "updatedAt": "u", "base": {}, "conflict": "x"}"#, at: "1:55",
          .notAnObject("conflict"))),
      NamedCase(
        "a delete on no side",
        Broken(
          text: #"{"id": "1", "updatedAt": "u", "base": {}, "conflict": {"deleted": true}}"#,
          at: "1:67", .wrongValue("conflict.deleted"))),
      NamedCase(
        "a conflict without a version",
        Broken(
          text: #"{"id": "1", "updatedAt": "u", "base": {}, "conflict": {"fields": {}}}"#,
          at: "1:55", .missing("updatedAt"))),
      NamedCase(
        "a conflict of no field",
        Broken(
          text:
            #"{"id":"1","updatedAt":"u","base":{},"conflict":{"updatedAt":"u","fields":{"nam":{}}}}"#,
          at: "1:75", .unknownField("nam"))),
      NamedCase(
        "a conflict with a value of the wrong type",
        Broken(
          text:
            #"{"id":"1","updatedAt":"u","base":{},"conflict":{"updatedAt":"u","fields":{"name":{"base":1}}}}"#,
          at: "1:90", .wrongType("conflict.fields.name.base", .string, found: .number))),
    ])
  func broken(_ row: NamedCase<Broken>) throws {
    let problem = try #require(throws: Problem.self) {
      try Sidecar(bytes: row.value.text.bytes, ref: "heroes/family/x")
    }
    #expect(problem.file == "heroes/family/.sync/x.json")
    #expect(problem.position?.description == row.value.at)
    #expect(problem.what == row.value.what)
  }

  @Test("a text that is not JSON is no sidecar")
  func notJSON() throws {
    let text = "{\n\"id\": }".bytes
    let problem = try #require(throws: Problem.self) { try Sidecar(bytes: text, ref: "heroes/x") }
    let error = try #require(throws: JSONSyntaxError.self) { try JSONDocument(parsing: text) }
    #expect(problem.what == .sidecarNotJSON(error))
    #expect(problem.code == .sidecar)
    #expect(problem.position?.description == "2:7")
  }

  @Test("rebasing takes the server's version and leaves decisions alone")
  func rebase() throws {
    var sidecar = Self.sidecar { $0.conflict = .deletedLocally }
    let record = try RemoteRecord(
      kind: .stories,
      wire: [
        "id": "s1", "updatedAt": "u9", "title": "Z", "heroId": "h", "content": "c",
        "createdAt": "c9",
      ])
    sidecar.rebase(on: record)
    #expect(sidecar.updatedAt == "u9")
    #expect(sidecar.base.wire == ["title": "Z", "heroId": "h", "content": "c"])
    #expect(sidecar.server == ["createdAt": "c9"])
    #expect(sidecar.conflict == .deletedLocally)
    #expect(sidecar.refs == [:])
  }

  @Test("a name goes with its id, so that a file that has it does not mean another record")
  func nameOfAnotherID() throws {
    var sidecar = Self.sidecar { _ in }
    sidecar.base[sidecar.base.kind.schema.fields[0]] = "Z"
    #expect(sidecar.refs == ["hero": "luna"])
    let hero = try #require(sidecar.base.kind.schema.fields.first { $0.key == "hero" })
    sidecar.base[hero] = "another"
    #expect(sidecar.refs == [:])
  }
}
