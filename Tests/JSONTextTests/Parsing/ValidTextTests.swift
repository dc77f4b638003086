import JSONText
import Testing

/// A text with the value that it stands for.
struct ValidCase: Sendable, CustomTestStringConvertible {
  var name: String
  var bytes: [UInt8]
  var value: JSONValue

  init(_ name: String, _ text: String, _ value: JSONValue) {
    self.init(name, bytes: Array(text.utf8), value)
  }

  init(_ name: String, bytes: [UInt8], _ value: JSONValue) {
    self.name = name
    self.bytes = bytes
    self.value = value
  }

  var testDescription: String { name }
}

@Suite("Texts that are JSON")
struct ValidTextTests {
  @Test(
    "have their value",
    arguments: [validStructures, validNumbers, validStrings, validNames, validLayouts]
      .flatMap { $0 })
  func parses(_ text: ValidCase) throws {
    let document = try JSONDocument(parsing: text.bytes)
    #expect(document.bytes == text.bytes)
    let value = document.root.value
    #expect(value == text.value)
    #expect(value.hashValue == text.value.hashValue)
    // Both ways of writing it keep the value, and are text in UTF-8.
    for bytes in [value.compactBytes, value.fileBytes(), document.formatted()] {
      #expect(try JSONValue(parsing: bytes) == text.value)
      #expect(String(validating: bytes, as: UTF8.self) != nil)
    }
  }

  @Test("no two rows of the table have the same name or text")
  func rowsAreDistinct() {
    let all = validStructures + validNumbers + validStrings + validNames + validLayouts
    #expect(Set(all.map(\.name)).count == all.count)
    #expect(Set(all.map(\.bytes)).count == all.count)
  }
}

private func number(_ literal: String) -> JSONValue {
  JSONNumber(literal: literal).map(JSONValue.number) ?? "not a number"
}

private let validStructures: [ValidCase] = [
  ValidCase("null alone", "null", nil),
  ValidCase("true alone", "true", true),
  ValidCase("false alone", "false", false),
  ValidCase("a number alone", "42", 42),
  ValidCase("a string alone", #""asd""#, "asd"),
  ValidCase("an empty string alone", #""""#, ""),
  ValidCase("an empty array", "[]", []),
  ValidCase("an empty object", "{}", [:]),
  ValidCase("an array in an array", "[[]]", [[]]),
  ValidCase("an empty string in an array", #"[""]"#, [""]),
  ValidCase("one null", "[null]", [nil]),
  ValidCase("one false", "[false]", [false]),
  ValidCase("one true", "[true]", [true]),
  ValidCase("all kinds", #"[null,1,"1",{},[],true]"#, [nil, 1, "1", [:], [], true]),
  ValidCase("several nulls", "[1,null,null,null,2]", [1, nil, nil, nil, 2]),
  ValidCase("siblings of several depths", "[[1],[[2]],[[[3]]],4]", [[1], [[2]], [[[3]]], 4]),
  ValidCase("an object with one member", #"{"a":1}"#, ["a": 1]),
  ValidCase("an object with null", #"{"a":null}"#, ["a": nil]),
  ValidCase("an object in an object", #"{"a":{"b":{}}}"#, ["a": ["b": [:]]]),
  ValidCase(
    "members of all kinds", #"{"a":[],"b":{},"c":"","d":0,"e":true}"#,
    ["a": [], "b": [:], "c": "", "d": 0, "e": true]),
  ValidCase("an array of objects", #"[{"id":1},{"id":2}]"#, [["id": 1], ["id": 2]]),
  ValidCase("the order of members does not count", #"{"b":2,"a":1}"#, ["a": 1, "b": 2]),
  ValidCase(
    "the order of nested members does not count", #"[{"b":[],"a":{"y":1,"x":2}}]"#,
    [["a": ["x": 2, "y": 1], "b": []]]),
  ValidCase(
    "a hundred arrays deep",
    String(repeating: "[", count: 100) + String(repeating: "]", count: 100), nest(99)),
  ValidCase(
    "512 arrays deep", String(repeating: "[", count: 512) + String(repeating: "]", count: 512),
    nest(511)),
]

/// An empty array inside `depth` others.
private func nest(_ depth: Int) -> JSONValue {
  (0..<depth).reduce([] as JSONValue) { inner, _ in .array([inner]) }
}

private let validNumbers: [ValidCase] = [
  ValidCase("zero", "[0]", [0]),
  ValidCase("minus zero", "[-0]", [0]),
  ValidCase("minus zero with a fraction", "[-0.0]", [0]),
  ValidCase("zero with a fraction", "[0.000]", [0]),
  ValidCase("zero with an exponent", "[0e1]", [0]),
  ValidCase("zero with a signed exponent", "[0e+1,0E-7]", [0, 0]),
  ValidCase("a negative integer", "[-123]", [-123]),
  ValidCase("minus one", "[-1]", [-1]),
  ValidCase("a fraction", "[123.456789]", [number("123456789e-6")]),
  ValidCase("a fraction below one", "[0.5]", [number("5e-1")]),
  ValidCase("a fraction with zeros behind", "[1.500]", [number("1.5")]),
  ValidCase("an exponent", "[123e45]", [number("1.23e47")]),
  ValidCase("a capital exponent", "[1E22]", [number("1e22")]),
  ValidCase("an exponent with plus", "[1E+2]", [100]),
  ValidCase("an exponent with minus", "[1E-2]", [number("0.01")]),
  ValidCase("an exponent with zeros in front", "[1e00003]", [1000]),
  ValidCase("an exponent of zero", "[7e0]", [7]),
  ValidCase("an exponent of minus zero", "[7e-0]", [7]),
  ValidCase("a fraction and an exponent", "[123.456e78]", [number("1.23456e80")]),
  ValidCase(
    "a double close to zero",
    "[-0.000000000000000000000000000000000000000000000000000000000000000000000000000001]",
    [number("-1e-78")]),
  ValidCase(
    "the largest integer of 64 bits", "[9223372036854775807]", [.number(JSONNumber(Int.max))]),
  ValidCase(
    "the smallest integer of 64 bits", "[-9223372036854775808]", [.number(JSONNumber(Int.min))]),
  ValidCase(
    "an integer of 65 bits", "[18446744073709551616]", [number("1.8446744073709551616e19")]),
  ValidCase(
    "an integer past 2^53", "[9007199254740993]", [.number(JSONNumber(9_007_199_254_740_993))]),
  ValidCase(
    "an integer of 60 digits", "[\(String(repeating: "123456", count: 10))]",
    [number(String(repeating: "123456", count: 10))]),
  ValidCase(
    "a fraction of 60 digits", "[0.\(String(repeating: "123456", count: 10))]",
    [number(String(repeating: "123456", count: 10) + "e-60")]),
  ValidCase("an exponent past a double’s", "[1e400]", [number("1e400")]),
  ValidCase("an exponent below a double’s", "[1e-400]", [number("1e-400")]),
  ValidCase(
    "an exponent of 18 digits", "[1e999999999999999999]", [number("10e999999999999999998")]),
  ValidCase(
    "a negative exponent of 18 digits", "[1e-999999999999999999]",
    [number("1.0E-999999999999999999")]),
  ValidCase(
    "an exponent of 18 digits with zeros in front", "[1e0000000000999999999999999999]",
    [number("1e999999999999999999")]),
  ValidCase("a number and a space", "[1 ]", [1]),
  ValidCase("a number at the end of the text", "-1.5e3", -1500),
]

private let validStrings: [ValidCase] = [
  ValidCase("all short escapes", #"["\"\\\/\b\f\n\r\t"]"#, ["\"\\/\u{8}\u{C}\n\r\t"]),
  ValidCase("an escaped capital letter", #"["\u0041"]"#, ["A"]),
  ValidCase("an escaped letter with small digits", #"["\u00e9"]"#, ["\u{E9}"]),
  ValidCase("an escaped letter with capital digits", #"["\u00E9"]"#, ["\u{E9}"]),
  ValidCase("mixed capitals in the digits", #"["\uaBcD"]"#, ["\u{ABCD}"]),
  ValidCase("an escaped NUL", #"["\u0000"]"#, ["\0"]),
  ValidCase("an escaped U+001F", #"["\u001f"]"#, ["\u{1F}"]),
  ValidCase("an escaped U+007F", #"["\u007f"]"#, ["\u{7F}"]),
  ValidCase("U+007F as it is", "[\"\u{7F}\"]", ["\u{7F}"]),
  ValidCase("an escaped quote", #"["\u0022"]"#, ["\""]),
  ValidCase("an escaped backslash by its number", #"["\u005C"]"#, ["\\"]),
  ValidCase("an escaped backslash and an n", #"["\\n"]"#, ["\\n"]),
  ValidCase("an escaped backslash and a u", #"["\\u0041"]"#, ["\\u0041"]),
  ValidCase("two escaped backslashes at the end", #"["\\\\"]"#, ["\\\\"]),
  ValidCase("an escape at the start and at the end", #"["\tx\t"]"#, ["\tx\t"]),
  ValidCase("a surrogate pair", #"["\uD834\uDd1e"]"#, ["\u{1D11E}"]),
  ValidCase("two surrogate pairs", #"["\ud83d\ude39\ud83d\udc8d"]"#, ["\u{1F639}\u{1F48D}"]),
  ValidCase("the first surrogate pair", #"["\uD800\uDC00"]"#, ["\u{10000}"]),
  ValidCase("the last surrogate pair", #"["\uDBFF\uDFFF"]"#, ["\u{10FFFF}"]),
  ValidCase("the scalar before the surrogates, escaped", #"["\uD7FF"]"#, ["\u{D7FF}"]),
  ValidCase("the scalar behind the surrogates, escaped", #"["\uE000"]"#, ["\u{E000}"]),
  ValidCase(
    "noncharacters, escaped", #"["\uFFFF\uFDD0"]"#,
    [.string(String(decoding: [0xEF, 0xBF, 0xBF, 0xEF, 0xB7, 0x90], as: UTF8.self))]),
  ValidCase("a byte order mark in a string, escaped", #"["\uFEFF"]"#, ["\u{FEFF}"]),
  ValidCase("a byte order mark in a string", "[\"\u{FEFF}\"]", ["\u{FEFF}"]),
  ValidCase("one byte of UTF-8", "[\"$\"]", ["\u{24}"]),
  ValidCase("two bytes of UTF-8", "[\"£\"]", ["\u{A3}"]),
  ValidCase("three bytes of UTF-8", "[\"€\"]", ["\u{20AC}"]),
  ValidCase("four bytes of UTF-8", "[\"𝄞\"]", ["\u{1D11E}"]),
  ValidCase(
    "the edges of each length",
    bytes: Array("[\"".utf8) + [
      0xC2, 0x80, 0xDF, 0xBF, 0xE0, 0xA0, 0x80, 0xEF, 0xBF, 0xBF, 0xF0, 0x90, 0x80, 0x80, 0xF4,
      0x8F, 0xBF, 0xBF,
    ] + Array("\"]".utf8), ["\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}"]),
  ValidCase(
    "the scalars around the surrogates",
    bytes: Array("\"".utf8) + [0xED, 0x9F, 0xBF, 0xEE, 0x80, 0x80] + Array("\"".utf8),
    "\u{D7FF}\u{E000}"),
  ValidCase("line and paragraph separators", "[\"\u{2028}\u{2029}\"]", ["\u{2028}\u{2029}"]),
  ValidCase("an emoji of several scalars", "[\"👩‍👩‍👧\"]", ["👩\u{200D}👩\u{200D}👧"]),
  ValidCase("a composed letter", "[\"\u{E9}\"]", ["\u{E9}"]),
  ValidCase("a decomposed letter", "[\"e\u{301}\"]", ["e\u{301}"]),
  ValidCase("text from right to left", "[\"שלום\"]", ["שלום"]),
  ValidCase("a slash as it is", "[\"a/b\"]", ["a/b"]),
  ValidCase("what would be a comment", "[\"/* a */ // b # c\"]", ["/* a */ // b # c"]),
  ValidCase("brackets in a string", #"["[]{},:"]"#, ["[]{},:"]),
  ValidCase("15 bytes", #""123456789012345""#, "123456789012345"),
  ValidCase("16 bytes", #""1234567890123456""#, "1234567890123456"),
  ValidCase(
    "a special byte in each place of a word",
    #"["\"","a\"","ab\"","abc\"","abcd\"","abcde\"","abcdef\"","abcdefg\"","abcdefgh\""]"#,
    ["\"", "a\"", "ab\"", "abc\"", "abcd\"", "abcde\"", "abcdef\"", "abcdefg\"", "abcdefgh\""]),
  ValidCase(
    "a long string", "\"\(String(repeating: "snow ", count: 1000))\"",
    .string(String(repeating: "snow ", count: 1000))),
  ValidCase(
    "a long string with escapes", "\"\(String(repeating: #"\u0073now\n"#, count: 1000))\"",
    .string(String(repeating: "snow\n", count: 1000))),
]

private let validNames: [ValidCase] = [
  ValidCase("an empty name", #"{"":0}"#, ["": 0]),
  ValidCase("an escaped name", #"{"\u0061\n":0}"#, ["a\n": 0]),
  ValidCase("NUL in a name", #"{"a\u0000b":0}"#, ["a\0b": 0]),
  ValidCase("names that start alike", #"{"a":1,"aa":2,"aaa":3}"#, ["aaa": 3, "aa": 2, "a": 1]),
  ValidCase("names in capitals and small letters", #"{"a":1,"A":2}"#, ["a": 1, "A": 2]),
  ValidCase(
    "a composed and a decomposed name", "{\"\u{E9}\":1,\"e\u{301}\":2}",
    inOrder([("\u{E9}", 1), ("e\u{301}", 2)])),
  ValidCase("the same name in two objects", #"{"a":{"a":{"a":1}}}"#, ["a": ["a": ["a": 1]]]),
  ValidCase("the same name in neighbours", #"[{"a":1},{"a":1}]"#, [["a": 1], ["a": 1]]),
  ValidCase("16 members", object(16), values(16)),
  ValidCase("17 members", object(17), values(17)),
  ValidCase("1,000 members", object(1000), values(1000)),
  ValidCase(
    "17 members, two only composed differently",
    "{\"\u{E9}\":1,\"e\u{301}\":2,\(object(15).dropFirst())",
    inOrder([("\u{E9}", 1), ("e\u{301}", 2)] + members(15))),
  ValidCase(
    "a long name", "{\"\(String(repeating: "n", count: 5000))\":1}",
    inOrder([(String(repeating: "n", count: 5000), 1)])),
]

private func members(_ count: Int) -> [(key: String, value: JSONValue)] {
  (0..<count).map { ("name\($0)", .number(JSONNumber($0))) }
}

private func inOrder(_ members: [(key: String, value: JSONValue)]) -> JSONValue {
  .object(JSONObject(members))
}

private func values(_ count: Int) -> JSONValue { .object(JSONObject(members(count).reversed())) }

private func object(_ count: Int) -> String {
  "{" + (0..<count).map { "\"name\($0)\":\($0)" }.joined(separator: ",") + "}"
}

private let validLayouts: [ValidCase] = [
  ValidCase("all white space", " \t\r\n[ \t\r\n1 \t\r\n, \t\r\n2 \t\r\n] \t\r\n", [1, 2]),
  ValidCase("all white space in an object", " { \"a\"\t:\r1\n,\r\n\"b\" : 2 } ", ["a": 1, "b": 2]),
  ValidCase("white space in an empty array", "[ ]", []),
  ValidCase("lines in an empty object", "{\n\n}", [:]),
  ValidCase("one final newline", "[]\n", []),
  ValidCase("a final CRLF", "[]\r\n", []),
  ValidCase("white space around a scalar", "\n 1 \n", 1),
  ValidCase("a byte order mark", "\u{FEFF}{\"a\":1}", ["a": 1]),
  ValidCase("a byte order mark and a scalar", "\u{FEFF}null", nil),
  ValidCase("a byte order mark and white space", "\u{FEFF} \n[]", []),
  ValidCase("comma first", "{ \"a\": 1\n, \"b\": 2\n}", ["a": 1, "b": 2]),
  ValidCase("lone CRs as line ends", "{\r\"a\": 1\r}\r", ["a": 1]),
]
