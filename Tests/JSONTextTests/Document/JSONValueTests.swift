import JSONText
import Testing

@Suite("Values")
struct JSONValueTests {
  @Test("of different kinds are different")
  func kinds() {
    let values: [JSONValue] = [
      nil, true, false, 0, 1, "", "0", "null", [], [nil], [[]], [:], ["": nil], ["a": []],
    ]
    for (left, one) in values.enumerated() {
      for (right, other) in values.enumerated() { #expect((one == other) == (left == right)) }
    }
    #expect(Set(values).count == values.count)
  }

  @Test("tell what they hold, and nothing else")
  func accessors() {
    let value: JSONValue = ["n": nil, "b": true, "i": 7, "s": "x", "a": [1], "o": [:]]
    #expect(value["n"]?.isNull == true)
    #expect(value["b"]?.bool == true)
    #expect(value["i"]?.integer == 7)
    #expect(value["s"]?.string == "x")
    #expect(value["a"]?.array == [1])
    #expect(value["o"]?.object?.isEmpty == true)
    #expect(value["x"] == Optional.none)
    #expect(value.string == nil && value.integer == nil && value.bool == nil && value.array == nil)
    #expect(value["s"]?["x"] == Optional.none)
    #expect(value["s"]?.object == nil)
    #expect(!value.isNull)
  }

  @Test("are compared by scalars, never normalised")
  func scalars() {
    #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
    #expect(JSONValue.string("\u{E9}") == .string("\u{E9}"))
    #expect(Set([JSONValue.string("\u{E9}"), .string("e\u{301}")]).count == 2)
    #expect(JSONValue.string("") != .string("\u{200B}"))
  }

  @Test("are found in a large unordered object")
  func unordered() {
    let members = (0..<500).map { (key: "k\($0)", value: JSONValue.number(JSONNumber($0))) }
    let value = JSONValue.object(JSONObject(members))
    let shuffled = JSONValue.object(JSONObject(members.reversed()))
    #expect(value == shuffled)
    #expect(value.hashValue == shuffled.hashValue)
    var other = JSONObject(members.reversed())
    other["k7"] = 8
    #expect(value != .object(other))
    other["k7"] = Optional.none
    other["K7"] = 7
    #expect(value != .object(other))
  }

  @Test("hash what lies near the surface, and equal values alike at any depth")
  func hashing() throws {
    func nest(_ value: JSONValue, _ depth: Int) -> JSONValue {
      (0..<depth).reduce(value) { inner, _ in ["a": [inner]] }
    }
    for depth in [0, 1, 3, 4, 5, 20] {
      #expect(
        nest(1, depth).hashValue == nest(.number(JSONNumber(literal: "1.0")!), depth).hashValue)
      #expect(nest(1, depth) != nest(2, depth))
    }
    #expect(Set([nest(1, 3), nest(2, 3), nest(1, 3)]).count == 2)
  }

  @Test("print themselves without spaces")
  func description() {
    let value: JSONValue = ["a": [1, nil, true], "b": "é/\n"]
    #expect("\(value)" == #"{"a":[1,null,true],"b":"é/\n"}"#)
  }
}

@Suite("Objects")
struct JSONObjectTests {
  @Test("keep the order and the names once")
  func order() {
    var object: JSONObject = ["b": 1, "a": 2, "b": 3]
    #expect(object.keys == ["b", "a"])
    #expect(object["b"] == 3)
    object["c"] = 4
    object["b"] = 5
    #expect(object.members.map(\.value) == [5, 2, 4])
    object["a"] = Optional.none
    object["z"] = Optional.none
    #expect(object.keys == ["b", "c"])
    object["b"] = JSONValue.null
    #expect(object.count == 2)
    #expect(object["b"]?.isNull == true)
    #expect(JSONObject().isEmpty)
  }

  @Test("keep names apart that only look alike")
  func names() {
    var object = JSONObject()
    object["\u{E9}"] = 1
    object["e\u{301}"] = 2
    #expect(object.count == 2)
    #expect(object["\u{E9}"] == 1)
    #expect(object["e\u{301}"] == 2)
  }

  @Test("of many members keep each name once", arguments: [15, 16, 17, 300])
  func many(count: Int) {
    let names = (0..<count).map { "name\($0)" }
    let object = JSONObject(
      (names + names.reversed()).enumerated().map { place, name in
        (key: name, value: .number(JSONNumber(place)))
      })
    #expect(object.keys == names)
    #expect(object["name0"]?.integer == 2 * count - 1)
    #expect(object.members.last?.value.integer == count)
  }
}
