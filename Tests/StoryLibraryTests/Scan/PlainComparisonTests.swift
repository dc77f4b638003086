import JSONText
import Testing

@testable import StoryLibrary

/// The quick way says “in sync” only where the long way finds the same.
@Suite("Plain comparison")
struct PlainComparisonTests {
  private func match(_ ref: RecordRef, _ record: [UInt8], _ sidecar: [UInt8]) throws
    -> PlainComparison.Match?
  {
    let comparison = PlainComparison(ref.kind, references: RecordGenerator.oddReferences)
    let (record, sidecar) = try (JSONDocument(parsing: record), JSONDocument(parsing: sidecar))
    return sidecar.withView { sidecar in
      record.withView { comparison.match(record: $0, sidecar: sidecar) }
    }
  }

  /// What the long way finds; `nil` where the record is not in sync, or there is something to say.
  private func slow(_ ref: RecordRef, _ record: [UInt8], _ sidecar: [UInt8])
    -> PlainComparison.Match?
  {
    guard let sidecar = try? Sidecar(bytes: sidecar, ref: ref), sidecar.conflict == nil,
      let file = try? RecordFile(ref: ref, bytes: record)
    else { return nil }
    let reading = file.reading(references: RecordGenerator.oddReferences, sidecar: sidecar)
    guard reading.changes(from: sidecar.base).isEmpty, reading.pending.isEmpty,
      reading.outdated.isEmpty
    else { return nil }
    return PlainComparison.Match(
      identity: RecordIdentity(id: sidecar.id, version: sidecar.updatedAt),
      targets: reading.targets)
  }

  private func sidecar(
    _ base: FieldValues, _ refs: JSONObject = JSONObject()
  ) -> Sidecar {
    Sidecar(
      id: "1", updatedAt: "2026-11-20T10:00:00.000Z", base: base, refs: refs,
      server: ["createdAt": "2026-11-19T10:00:00.000Z"])
  }

  @Test("finds every new record in sync", arguments: EntityKind.writable)
  func newFiles(kind: EntityKind) throws {
    let seed: UInt64 = 71
    print("plain records, seed \(seed)")
    var generator = RecordGenerator(seed: seed)
    let ref = RecordRef(kind: kind, name: "x")
    for round in 0..<400 {
      var values = generator.values(kind)
      for field in kind.schema.fields where field.defaultValue != nil && values[field] == nil {
        values[field] = field.defaultValue
      }
      let record = RecordFile.newFile(values, references: RecordGenerator.oddReferences)
      let sidecar = sidecar(values).fileBytes
      let expected = slow(ref, record, sidecar)
      #expect(expected != nil, "round \(round)")
      #expect(try match(ref, record, sidecar) == expected, "round \(round)")
    }
  }

  @Test("never says more than the long way", arguments: [72 as UInt64, 73, 74])
  func agreement(seed: UInt64) throws {
    print("plain comparison, seed \(seed)")
    var generator = RecordGenerator(seed: seed)
    var found = 0
    for round in 0..<6_000 {
      let kind = generator.random.pick(EntityKind.writable)
      let ref = RecordRef(kind: kind, name: "x")
      let base = generator.values(kind)
      let values = generator.random.oneIn(3) ? generator.edited(base) : base
      var record =
        generator.random.oneIn(2)
        ? RecordFile.newFile(values, references: RecordGenerator.oddReferences)
        : generator.text(values)
      var sidecar = self.sidecar(base).fileBytes
      if generator.random.oneIn(3) { generator.mutate(&record) }
      if generator.random.oneIn(3) { generator.mutate(&sidecar) }
      guard (try? JSONDocument(parsing: record)) != nil,
        (try? JSONDocument(parsing: sidecar)) != nil,
        let match = try match(ref, record, sidecar)
      else { continue }
      found += 1
      guard slow(ref, record, sidecar) == match else {
        Issue.record(
          """
          seed \(seed), round \(round): \(match) of \(String(decoding: record, as: UTF8.self)) \
          and \(String(decoding: sidecar, as: UTF8.self))
          """)
        return
      }
    }
    #expect(found > 500)
  }

  private static let story =
    #"{"title":"Snow","hero":"luna","content":["a \"b\"","","c"],"isFavorite":true}"#
  private static let base =
    #"{"title":"Snow","heroId":"h-luna","content":"a \"b\"\n\nc","isFavorite":true,"language":"en"}"#

  private func text(_ base: String, _ more: String) -> [UInt8] {
    "{\"id\":\"1\",\"updatedAt\":\"2\",\"base\":\(base)\(more)}".bytes
  }

  /// The story and its sidecar with one difference.
  struct Row: Sendable {
    var record = PlainComparisonTests.story
    var base = PlainComparisonTests.base
    var more = ""

    init() {}

    init(record old: String, _ new: String) { record = record.replacing(old, with: new) }

    init(base old: String, _ new: String) { base = base.replacing(old, with: new) }

    init(sidecar more: String) { self.more = more }

    /// With another member at the end of the record.
    init(adding member: String) { record = record.dropLast() + "," + member + "}" }
  }

  private static let plainRows: [NamedCase<Row>] = [
    NamedCase("as it is", Row()),
    NamedCase("refs", Row(sidecar: #","refs":{"hero":"luna"},"server":{"a":[1]}"#)),
    NamedCase("no conflict", Row(sidecar: #","note":null"#)),
    NamedCase("a member that nobody knows", Row(adding: #""x":{"y":null}"#)),
    NamedCase("null for absent", Row(adding: #""event":null,"playCount":null"#)),
    NamedCase("an id", Row(record: #""hero":"luna""#, #""heroId":"h-luna""#)),
    NamedCase("one string", Row(record: #"["a \"b\"","","c"]"#, #""a \"b\"\n\nc""#)),
    NamedCase("a default left out", Row(record: #","isFavorite":true"#, "")),
    NamedCase(
      "another order",
      Row(record: #"{"title":"Snow","hero":"luna""#, #"{"hero":"luna","title":"Snow""#)),
  ]

  @Test("says so of what is plain", arguments: plainRows)
  func plain(_ row: NamedCase<Row>) throws {
    let (record, sidecar) = (row.value.record.bytes, text(row.value.base, row.value.more))
    let expected = slow("stories/x", record, sidecar)
    #expect(expected?.identity.id == "1")
    #expect(try match("stories/x", record, sidecar) == expected)
  }

  private static let otherRows: [NamedCase<Row>] = [
    NamedCase("another title", Row(record: "Snow", "Rain")),
    NamedCase("another escape", Row(record: "Snow", #"S\u006eow"#)),
    NamedCase("a name with an escape", Row(record: "title", #"\u0074itle"#)),
    NamedCase("a line less", Row(record: #","c""#, "")),
    NamedCase("a line more", Row(record: #","c""#, #","c","""#)),
    NamedCase("a line's part", Row(record: #","c""#, #","cc""#)),
    NamedCase("a line that is none", Row(record: #","","#, ",1,")),
    NamedCase("no line feed between", Row(base: #"\n\nc"#, #"\n\tc"#)),
    NamedCase("a reference twice", Row(adding: #""heroId":"h-luna""#)),
    NamedCase("an older name", Row(record: "luna", "old")),
    NamedCase("a record without id", Row(record: "luna", "new")),
    NamedCase("a name of nobody", Row(record: "luna", "none")),
    NamedCase("a name that is none", Row(record: #""luna""#, "1")),
    NamedCase("another hero", Row(base: "h-luna", "h-x")),
    NamedCase("an id with an escape", Row(base: "h-luna", #"h\u002dluna"#)),
    NamedCase("a required field less", Row(record: #""title":"Snow","#, "")),
    NamedCase("a field that the base has not", Row(adding: #""playCount":1"#)),
    NamedCase("a field of the wrong type in the base", Row(base: #""Snow""#, "1")),
    NamedCase("a default of the wrong type in the base", Row(base: #""en""#, "1")),
    NamedCase("a conflict", Row(sidecar: #","conflict":{"deleted":"server"}"#)),
    NamedCase("a stated delete", Row(sidecar: #","delete":true"#)),
    NamedCase("a version", Row(sidecar: #","version":2"#)),
    NamedCase("refs of the wrong type", Row(sidecar: #","refs":{"hero":1}"#)),
    NamedCase("a server's part of the wrong type", Row(sidecar: #","server":1"#)),
    NamedCase("a base that is none", Row(base: base, "[]")),
    NamedCase("no object", Row(record: story, "[]")),
  ]

  @Test("says nothing of what is not", arguments: otherRows)
  func notPlain(_ row: NamedCase<Row>) throws {
    let sidecar = text(row.value.base, row.value.more)
    #expect(try match("stories/x", row.value.record.bytes, sidecar) == nil)
  }

  @Test("says nothing of a sidecar without id, version or base")
  func missing() throws {
    let sidecars: [String] = [
      "[]", "{}", #"{"id":"1","updatedAt":"2"}"#, #"{"id":"","updatedAt":"2","base":{}}"#,
      #"{"id":"1","base":{}}"#, #"{"id":1,"updatedAt":"2","base":{}}"#,
      #"{"id":"\u0031","updatedAt":"2","base":{}}"#,
    ]
    for sidecar in sidecars { #expect(try match("events/x", "{}".bytes, sidecar.bytes) == nil) }
    let whole = #"{"id":"1","updatedAt":"2","base":{}}"#
    #expect(try match("events/x", "{}".bytes, whole.bytes) != nil)
  }
}
