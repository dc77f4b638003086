import JSONText
import Testing

/// Values of Swift as JSON.
@Suite struct EncodingTests {
  private struct Report: Encodable {
    let schema = "tests.report/1"
    var isDone = true
    var count = 3
    var share = 0.5
    var size: UInt64 = .max
    var name: String? = "Luna"
    var nobody: String?
    var nothing: Int?
    var never: Double?
    var unknown: Bool?
    var small: Int8?
    var noDate: Day?
    var days = [Day.monday, .sunday]
    var inner = Inner(record: ["b": 1, "a": [nil, 2]])
    @Omitted var left: [String]?
    @Omitted var right = ["r"] as [String]?
  }

  private enum Day: String, Encodable {
    case monday
    case sunday
  }

  private struct Inner: Encodable {
    var record: JSONValue
  }

  @Test func aValueIsEncodedInItsOrderWithItsNulls() {
    #expect(
      JSONValue(encoding: Report()).compactText == """
        {"schema":"tests.report/1","isDone":true,"count":3,"share":0.5,"size":18446744073709551615,\
        "name":"Luna","nobody":null,"nothing":null,"never":null,"unknown":null,"small":null,\
        "noDate":null,"days":["monday","sunday"],"inner":{"record":{"b":1,"a":[null,2]}},\
        "right":["r"]}
        """)
  }

  @Test(arguments: [
    #"{"z":1.0,"a":10e-1,"big":9007199254740993,"":"é\u0000"}"#, "[[],{},null,true]", "1E400",
  ])
  func jsonPassesThroughAsItIs(text: String) throws {
    let value = try JSONValue(parsing: Array(text.utf8))
    #expect(JSONValue(encoding: value).compactText == value.compactText)
    #expect(JSONValue(encoding: [value]).compactText == "[\(value.compactText)]")
    #expect(JSONValue(encoding: ["v": value]).compactText == #"{"v":\#(value.compactText)}"#)
  }

  @Test func anythingMayBeTheWholeDocument() {
    #expect(JSONValue(encoding: 7) == 7)
    #expect(JSONValue(encoding: "text") == "text")
    #expect(JSONValue(encoding: String?.none) == .null)
    #expect(JSONValue(encoding: [1, nil, 3]) == [1, nil, 3])
    #expect(JSONValue(encoding: [[String]]()) == [])
    #expect(JSONValue(encoding: ["a": 1, "b": 2]) == ["a": 1, "b": 2])
    #expect(
      JSONValue(encoding: JSONObject(dictionaryLiteral: ("b", 1), ("a", 2))).compactText
        == #"{"b":1,"a":2}"#)
    #expect(
      JSONValue(encoding: [Double.nan, .infinity, 1e300]).compactText == "[null,null,1e+300]")
  }

  @Test func membersComeInTheOrderInWhichTheyAreWritten() {
    let bytes: Members = ["up": 1, "down": [2]]
    let members: Members = [
      "z": 1, "hint": String?.none, "from": Omitted(String?.none), "bytes": bytes,
    ]
    #expect(
      JSONValue(encoding: members).compactText
        == #"{"z":1,"hint":null,"bytes":{"up":1,"down":[2]}}"#)
    #expect(
      JSONValue(encoding: members + ["from": Omitted("o"), "a": true]).compactText
        == #"{"z":1,"hint":null,"bytes":{"up":1,"down":[2]},"from":"o","a":true}"#)
  }

  /// Encodes itself with all kinds of containers.
  private struct Nested: Encodable {
    enum Key: CodingKey { case sent, rows, none, up }

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: Key.self)
      try (["z": 0] as Members).encode(to: encoder)
      var sent = members.nestedContainer(keyedBy: Key.self, forKey: .sent)
      try sent.encode(1, forKey: .up)
      var rows = members.nestedUnkeyedContainer(forKey: .rows)
      try rows.encode(2)
      try rows.encodeNil()
      var row = rows.nestedContainer(keyedBy: Key.self)
      try row.encodeNil(forKey: .none)
    }
  }

  @Test func membersOfSeveralContainersMakeOneObject() {
    #expect(
      JSONValue(encoding: Nested()).compactText == """
        {"z":0,"sent":{"up":1},"rows":[2,null,{"none":null}]}
        """)
  }
}
