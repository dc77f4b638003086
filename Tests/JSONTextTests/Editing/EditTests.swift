import JSONText
import Testing

struct EditCase: Sendable, CustomTestStringConvertible {
  var name: String
  var text: String
  var changes: [(key: String, value: JSONValue?)]
  var order: [String] = []
  var broken: Set<String> = []
  var expected: String

  var testDescription: String { name }
}

@Suite("Edits in place")
struct EditTests {
  @Test("replace", arguments: replacements + arrays + nested)
  func replace(_ edit: EditCase) throws { try check(edit) }

  @Test("insert", arguments: insertions)
  func insert(_ edit: EditCase) throws { try check(edit) }

  @Test("remove", arguments: removals)
  func remove(_ edit: EditCase) throws { try check(edit) }

  private func check(_ edit: EditCase) throws {
    let document = try JSONDocument(parsing: edit.text)
    let result = try document.setting(
      edit.changes, order: edit.order, brokenArrays: edit.broken)
    #expect(String(decoding: result.bytes, as: UTF8.self) == edit.expected)
    #expect(result.bytes == Array(edit.expected.utf8))
    // The same edit again finds nothing to do.
    let again = try result.setting(
      edit.changes, order: edit.order, brokenArrays: edit.broken)
    #expect(again.bytes == result.bytes)
  }
}

private let heroOrder = ["name", "age", "traits", "specialAbility"]

private let replacements: [EditCase] = [
  EditCase(
    name: "a number", text: "{\n  \"age\": 7\n}\n", changes: [("age", 8)],
    expected: "{\n  \"age\": 8\n}\n"),
  EditCase(
    name: "an equal number keeps its literal", text: "{\"age\": 7.0}", changes: [("age", 7)],
    expected: "{\"age\": 7.0}"),
  EditCase(
    name: "an equal string keeps its escapes", text: #"{"name": "Lun\u0061 \/"}"#,
    changes: [("name", "Luna /")], expected: #"{"name": "Lun\u0061 \/"}"#),
  EditCase(
    name: "a string of the same look but other scalars is another", text: "{\"name\": \"\u{E9}\"}",
    changes: [("name", "e\u{301}")], expected: "{\"name\": \"e\u{301}\"}"),
  EditCase(
    name: "an object in another order is equal", text: #"{"a": {"x": 1, "y": 2.0}}"#,
    changes: [("a", ["y": 2, "x": 1])], expected: #"{"a": {"x": 1, "y": 2.0}}"#),
  EditCase(
    name: "odd white space around it stays", text: "\t{ \"a\"\n :\t1 ,\"b\" : 2}  \n\n",
    changes: [("a", "x")], expected: "\t{ \"a\"\n :\t\"x\" ,\"b\" : 2}  \n\n"),
  EditCase(
    name: "byte order mark and CRLF stay", text: "\u{FEFF}{\r\n\t\"a\": 1\r\n}\r\n",
    changes: [("a", JSONValue.null)],
    expected: "\u{FEFF}{\r\n\t\"a\": null\r\n}\r\n"),
  EditCase(
    name: "no final newline stays so", text: "{\n  \"a\": 1\n}", changes: [("a", true)],
    expected: "{\n  \"a\": true\n}"),
  EditCase(
    name: "a name with escapes is found", text: #"{"\u0061ge": 1, "b": 2}"#, changes: [("age", 3)],
    expected: #"{"\u0061ge": 3, "b": 2}"#),
  EditCase(
    name: "of several changes of one name the last counts", text: "{\"a\": 1}",
    changes: [("a", 2), ("b", 1), ("a", 3), ("b", nil)], expected: "{\"a\": 3}"),
  EditCase(
    name: "a string by an array of lines", text: "{\n  \"content\": \"a\\nb\",\n  \"z\": 1\n}\n",
    changes: [("content", ["a", "b"])], broken: ["content"],
    expected: "{\n  \"content\": [\n    \"a\",\n    \"b\"\n  ],\n  \"z\": 1\n}\n"),
  EditCase(
    name: "an array by a string",
    text: "{\n  \"content\": [\n    \"a\",\n    \"b\"\n  ],\n  \"z\": 1\n}\n",
    changes: [("content", "a\nb")], expected: "{\n  \"content\": \"a\\nb\",\n  \"z\": 1\n}\n"),
  EditCase(
    name: "a number by an object", text: "{\n\t\"a\": 1\n}\n", changes: [("a", ["x": 1, "y": []])],
    expected: "{\n\t\"a\": {\n\t\t\"x\": 1,\n\t\t\"y\": []\n\t}\n}\n"),
  EditCase(
    name: "a number by an object on one line", text: "{\"a\":1,\"b\":2}",
    changes: [("a", ["x": 1, "y": [1, 2]])], expected: "{\"a\":{\"x\":1,\"y\":[1,2]},\"b\":2}"),
  EditCase(
    name: "a scalar by lines in an object on one line",
    text: "{\"title\": \"Snow\", \"content\": \"a\"}",
    changes: [("content", ["a", "b"])], broken: ["content"],
    expected: "{\"title\": \"Snow\", \"content\": [\n  \"a\",\n  \"b\"\n]}"),
]

private let arrays: [EditCase] = [
  EditCase(
    name: "a line more in the middle",
    text: "{\n  \"c\": [\n    \"a\",\n    \"\\u0062\",\n    \"c\"\n  ]\n}\n",
    changes: [("c", ["a", "new", "b", "c"])],
    expected: "{\n  \"c\": [\n    \"a\",\n    \"new\",\n    \"\\u0062\",\n    \"c\"\n  ]\n}\n"),
  EditCase(
    name: "a line more at the start and at the end", text: "{\"c\": [\n 1.0,\n 2\n]}",
    changes: [("c", [0, 1, 2, 3])], expected: "{\"c\": [\n 0,\n 1.0,\n 2,\n 3\n]}"),
  EditCase(
    name: "a line less", text: "{\n  \"c\": [\n    1.0,\n    2,\n    3.0\n  ]\n}",
    changes: [("c", [1, 3])],
    expected: "{\n  \"c\": [\n    1.0,\n    3.0\n  ]\n}"),
  EditCase(
    name: "one line left", text: "{\n  \"c\": [\n    1,\n    2\n  ]\n}", changes: [("c", [2])],
    expected: "{\n  \"c\": [\n    2\n  ]\n}"),
  EditCase(
    name: "no line left", text: "{\n  \"c\": [\n    1,\n    2\n  ]\n}", changes: [("c", [])],
    expected: "{\n  \"c\": []\n}"),
  EditCase(
    name: "all lines other ones", text: "{\n  \"c\": [\n    1,\n    2\n  ]\n}",
    changes: [("c", [3, 4, 5])],
    expected: "{\n  \"c\": [\n    3,\n    4,\n    5\n  ]\n}"),
  EditCase(
    name: "one element more on one line", text: "{\n  \"t\": [\"brave\", \"curious\"]\n}\n",
    changes: [("t", ["brave", "kind", "curious"])],
    expected: "{\n  \"t\": [\"brave\", \"kind\", \"curious\"]\n}\n"),
  EditCase(
    name: "padding and tight commas stay", text: "{\n  \"t\": [ 1,2 ]\n}\n",
    changes: [("t", [1, 2, 3])],
    expected: "{\n  \"t\": [ 1,2,3 ]\n}\n"),
  EditCase(
    name: "a second element on one line, comma as elsewhere",
    text: "{\n  \"t\": [1],\n  \"u\": [1 ,2]\n}\n",
    changes: [("t", [1, 2])], expected: "{\n  \"t\": [1 ,2],\n  \"u\": [1 ,2]\n}\n"),
  EditCase(
    name: "from nothing", text: "{\n  \"t\": []\n}\n", changes: [("t", [1, 2])],
    expected: "{\n  \"t\": [1, 2]\n}\n"),
  EditCase(
    name: "a line that gets too long is broken",
    text: "{\n  \"t\": [\"\(String(repeating: "a", count: 55))\", \"b\\u0062\"]\n}\n",
    changes: [("t", [.string(String(repeating: "a", count: 55)), "bb", "123"])],
    expected:
      "{\n  \"t\": [\n    \"\(String(repeating: "a", count: 55))\",\n    \"b\\u0062\",\n    \"123\"\n  ]\n}\n"
  ),
  EditCase(
    name: "exactly 80 characters with the comma fit",
    text: "{\n  \"t\": [\"\(String(repeating: "ä", count: 53))\", \"bbb\"]\n}\n",
    changes: [("t", [.string(String(repeating: "ä", count: 53)), "bbb", "1234"])],
    expected: "{\n  \"t\": [\"\(String(repeating: "ä", count: 53))\", \"bbb\", \"1234\"]\n}\n"),
  EditCase(
    name: "a line that is too long already stays one",
    text: "{\n  \"t\": [\"\(String(repeating: "a", count: 90))\"]\n}\n",
    changes: [("t", [.string(String(repeating: "a", count: 90)), "b"])],
    expected: "{\n  \"t\": [\"\(String(repeating: "a", count: 90))\", \"b\"]\n}\n"),
  EditCase(
    name: "a long text on one line stays on it",
    text: "{\"t\":[\"\(String(repeating: "a", count: 60))\"],\"u\":1}",
    changes: [("t", [.string(String(repeating: "a", count: 60)), "bbbbbbbbbbbbbbbbbbbbbbbbbb"])],
    expected:
      "{\"t\":[\"\(String(repeating: "a", count: 60))\",\"bbbbbbbbbbbbbbbbbbbbbbbbbb\"],\"u\":1}"),
  EditCase(
    name: "lines that no longer fit are broken even among others on their line",
    text: "{\"title\": \"Snow\", \"content\": [\"a\"], \"x\": 1}",
    changes: [("content", ["a", .string(String(repeating: "b", count: 60))])], broken: ["content"],
    expected:
      "{\"title\": \"Snow\", \"content\": [\n  \"a\",\n  \"\(String(repeating: "b", count: 60))\"\n], \"x\": 1}"
  ),
  EditCase(
    name: "several elements to a line", text: "{\"m\": [\n  1, 2,\n  3, 4\n]}",
    changes: [("m", [1, 2, 9, 3, 4, 5])],
    expected: "{\"m\": [\n  1, 2, 9,\n  3, 4, 5\n]}"),
  EditCase(
    name: "comma first", text: "{ \"c\": [\n    1\n  , 2\n  ]\n}", changes: [("c", [1, 2, 3])],
    expected: "{ \"c\": [\n    1\n  , 2\n  , 3\n  ]\n}"),
  EditCase(
    name: "repeated lines", text: "{\"c\": [\n\"\",\n\"a\",\n\"\",\n\"b\"\n]}",
    changes: [("c", ["", "a", "", "", "b"])],
    expected: "{\"c\": [\n\"\",\n\"a\",\n\"\",\n\"\",\n\"b\"\n]}"),
]

private let nested: [EditCase] = [
  EditCase(
    name: "only what changed inside an object",
    text: "{\n  \"base\": {\n    \"b\": 1.0,\n    \"a\": [1,  2]\n  }\n}\n",
    changes: [("base", ["a": [1, 2], "b": 2, "c": nil])],
    expected: "{\n  \"base\": {\n    \"b\": 2,\n    \"c\": null,\n    \"a\": [1,  2]\n  }\n}\n"),
  EditCase(
    name: "an object on one line", text: "{\n  \"base\": {\"name\": \"Luna\", \"age\": 7}\n}\n",
    changes: [("base", ["name": "Luna", "age": 8, "x": 1])],
    expected: "{\n  \"base\": {\"name\": \"Luna\", \"age\": 8, \"x\": 1}\n}\n"),
  EditCase(
    name: "an object in an array",
    text: "{\"l\": [\n  { \"id\": 1.0 },\n  { \"id\": 2, \"x\": [] }\n]}",
    changes: [("l", [["id": 1], ["id": 3, "x": []], ["id": 4]])],
    expected:
      "{\"l\": [\n  { \"id\": 1.0 },\n  { \"id\": 3, \"x\": [] },\n  { \"id\": 4 }\n]}"),
  EditCase(
    name: "an object with nothing in common is written whole", text: "{\n  \"a\": {\"x\": 1}\n}\n",
    changes: [("a", ["y": 1])],
    expected: "{\n  \"a\": {\"y\": 1}\n}\n"),
  EditCase(
    name: "an object to nothing", text: "{\n  \"a\": {\"x\": 1}\n}\n", changes: [("a", [:])],
    expected: "{\n  \"a\": {}\n}\n"),
]

private let insertions: [EditCase] = [
  EditCase(
    name: "into an empty object", text: "{}", changes: [("a", 1), ("b", [1])],
    expected: "{\n  \"a\": 1,\n  \"b\": [1]\n}"),
  EditCase(
    name: "into an empty object with a line", text: "{\r\n}\r\n", changes: [("a", 1)],
    expected: "{\r\n  \"a\": 1\r\n}\r\n"),
  EditCase(
    name: "into an empty object in another", text: "{\n    \"x\": {}\n}",
    changes: [("x", ["a": 1])],
    expected: "{\n    \"x\": {\n        \"a\": 1\n    }\n}"),
  EditCase(
    name: "into an empty object on one line", text: "{\"x\": {}, \"y\": 1}",
    changes: [("x", ["a": 1])],
    expected: "{\"x\": {\"a\": 1}, \"y\": 1}"),
  EditCase(
    name: "behind the one before it", text: "{\n  \"name\": \"Luna\",\n  \"traits\": []\n}\n",
    changes: [("age", 7)],
    order: heroOrder, expected: "{\n  \"name\": \"Luna\",\n  \"age\": 7,\n  \"traits\": []\n}\n"),
  EditCase(
    name: "in front of the one behind it", text: "{\n  \"x\": 1,\n  \"traits\": []\n}\n",
    changes: [("age", 7)],
    order: heroOrder, expected: "{\n  \"x\": 1,\n  \"age\": 7,\n  \"traits\": []\n}\n"),
  EditCase(
    name: "in front of the first", text: "{\n  \"traits\": [],\n  \"x\": 1\n}\n",
    changes: [("name", "L")],
    order: heroOrder, expected: "{\n  \"name\": \"L\",\n  \"traits\": [],\n  \"x\": 1\n}\n"),
  EditCase(
    name: "in front of the only one", text: "{\n    \"traits\": []\n}\n", changes: [("name", "L")],
    order: heroOrder, expected: "{\n    \"name\": \"L\",\n    \"traits\": []\n}\n"),
  EditCase(
    name: "several between", text: "{\n  \"name\": 1,\n  \"specialAbility\": 2\n}",
    changes: [("traits", 4), ("unknown", 5), ("age", 3)], order: heroOrder,
    expected:
      "{\n  \"name\": 1,\n  \"age\": 3,\n  \"traits\": 4,\n  \"specialAbility\": 2,\n  \"unknown\": 5\n}"
  ),
  EditCase(
    name: "a known one without known neighbours", text: "{\n  \"x\": 1\n}", changes: [("age", 3)],
    order: heroOrder,
    expected: "{\n  \"x\": 1,\n  \"age\": 3\n}"),
  EditCase(
    name: "tabs and CRLF", text: "{\r\n\t\"a\": 1\r\n}\r\n", changes: [("b", [["x": 1]])],
    expected: "{\r\n\t\"a\": 1,\r\n\t\"b\": [\r\n\t\t{\r\n\t\t\t\"x\": 1\r\n\t\t}\r\n\t]\r\n}\r\n"),
  EditCase(
    name: "colon as its neighbour’s", text: "{\n  \"a\" : 1\n}", changes: [("b", ["c": 2])],
    expected: "{\n  \"a\" : 1,\n  \"b\" : {\n    \"c\" : 2\n  }\n}"),
  EditCase(
    name: "on one line", text: "{ \"a\": 1, \"b\": 2 }", changes: [("c", [3])],
    expected: "{ \"a\": 1, \"b\": 2, \"c\": [3] }"),
  EditCase(
    name: "on one line without spaces", text: "{\"a\":1}", changes: [("c", [3, 4])],
    expected: "{\"a\":1,\"c\":[3,4]}"),
  EditCase(
    name: "on one line as the only neighbour", text: "{\"a\": 1}", changes: [("c", ["x": 4])],
    expected: "{\"a\": 1, \"c\": {\"x\": 4}}"),
  EditCase(
    name: "comma first", text: "{ \"a\": 1\n, \"b\": 2\n}\n", changes: [("c", 3)],
    expected: "{ \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}\n"),
  EditCase(
    name: "comma first behind a single one", text: "{ \"a\": 1\n}\n", changes: [("c", 3)],
    expected: "{ \"a\": 1\n, \"c\": 3\n}\n"),
  EditCase(
    name: "comma first in front", text: "{ \"b\": 1\n, \"c\": 2\n}\n", changes: [("a", 3)],
    order: ["a", "b"],
    expected: "{ \"a\": 3\n, \"b\": 1\n, \"c\": 2\n}\n"),
  EditCase(
    name: "blank lines are not repeated", text: "{\n  \"a\": 1,\n\n  \"b\": 2\n}\n",
    changes: [("c", 3)],
    expected: "{\n  \"a\": 1,\n\n  \"b\": 2,\n  \"c\": 3\n}\n"),
  EditCase(
    name: "a group keeps its blank line", text: "{\n  \"a\": 1,\n\n  \"z\": 2\n}\n",
    changes: [("b", 3)],
    order: ["a", "b"], expected: "{\n  \"a\": 1,\n  \"b\": 3,\n\n  \"z\": 2\n}\n"),
  EditCase(
    name: "trailing spaces stay where they are", text: "{  \n  \"a\": 1 ,  \n  \"b\": 2  \n}  ",
    changes: [("c", 3)],
    expected: "{  \n  \"a\": 1 ,  \n  \"b\": 2 ,\n  \"c\": 3  \n}  "),
  EditCase(
    name: "no indentation", text: "{\n\"a\": 1\n}", changes: [("b", ["c": 1])],
    expected: "{\n\"a\": 1,\n\"b\": {\n\"c\": 1\n}\n}"),
  EditCase(
    name: "mixed lines", text: "{\"a\": 1, \"b\": 2,\n \"c\": 3}", changes: [("x", 0), ("y", 9)],
    order: ["a", "x"],
    expected: "{\"a\": 1, \"x\": 0, \"b\": 2,\n \"c\": 3,\n \"y\": 9}"),
  EditCase(
    name: "objects bracket to bracket", text: "{\"l\": [{\n  \"a\": 1\n}, {\n  \"a\": 2\n}]}",
    changes: [("l", [["a": 1], ["a": 2], ["a": 3]])],
    expected: "{\"l\": [{\n  \"a\": 1\n}, {\n  \"a\": 2\n}, {\n  \"a\": 3\n}]}"),
  EditCase(
    name: "lone CR line ends", text: "{\r  \"a\": 1\r}", changes: [("b", 2)],
    expected: "{\r  \"a\": 1,\r  \"b\": 2\r}"),
  EditCase(
    name: "a name that needs escapes", text: "{\"a\": 1}", changes: [("\"\n/é", 2)],
    expected: "{\"a\": 1, \"\\\"\\n/é\": 2}"),
  EditCase(
    name: "lines in an object on one line", text: "{\"title\": \"Snow\"}",
    changes: [("content", ["a"])],
    broken: ["content"], expected: "{\"title\": \"Snow\", \"content\": [\n  \"a\"\n]}"),
]

private let removals: [EditCase] = [
  EditCase(
    name: "the only one", text: "{\n  \"a\": 1\n}\n", changes: [("a", nil)], expected: "{}\n"),
  EditCase(
    name: "all", text: "{\"a\": 1, \"b\": 2 }", changes: [("a", nil), ("b", nil)], expected: "{}"),
  EditCase(name: "one that is not there", text: "{ }", changes: [("a", nil)], expected: "{ }"),
  EditCase(
    name: "the first line", text: "{\n  \"a\": 1,\n  \"b\": 2\n}\n", changes: [("a", nil)],
    expected: "{\n  \"b\": 2\n}\n"),
  EditCase(
    name: "the last line", text: "{\n  \"a\": 1,\n  \"b\": 2\n}\n", changes: [("b", nil)],
    expected: "{\n  \"a\": 1\n}\n"),
  EditCase(
    name: "a line in the middle",
    text: "{\r\n\t\"a\": 1,  \r\n\t\"b\": [\r\n],\r\n\t\t\"c\": 3\r\n}",
    changes: [("b", nil)], expected: "{\r\n\t\"a\": 1,  \r\n\t\t\"c\": 3\r\n}"),
  EditCase(
    name: "several next to each other",
    text: "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3,\n  \"d\": 4\n}",
    changes: [("b", nil), ("c", nil)], expected: "{\n  \"a\": 1,\n  \"d\": 4\n}"),
  EditCase(
    name: "on one line", text: "{ \"a\": 1, \"b\": 2 , \"c\": 3 }", changes: [("b", nil)],
    expected: "{ \"a\": 1 , \"c\": 3 }"),
  EditCase(
    name: "the first on one line", text: "{\"a\":1,\"b\":2}", changes: [("a", nil)],
    expected: "{\"b\":2}"),
  EditCase(
    name: "the last on one line", text: "{ \"a\": 1, \"b\": 2 }", changes: [("b", nil)],
    expected: "{ \"a\": 1 }"),
  EditCase(
    name: "comma first", text: "{ \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}", changes: [("b", nil)],
    expected: "{ \"a\": 1\n, \"c\": 3\n}"),
  EditCase(
    name: "the first, comma first", text: "{ \"a\": 1\n, \"b\": 2\n}", changes: [("a", nil)],
    expected: "{ \"b\": 2\n}"),
  EditCase(
    name: "the end of a line", text: "{\n  \"a\": 1, \"b\": 2,\n  \"c\": 3\n}",
    changes: [("b", nil)],
    expected: "{\n  \"a\": 1,\n  \"c\": 3\n}"),
  EditCase(
    name: "the start of a line", text: "{\n  \"a\": 1,\n  \"b\": 2, \"c\": 3\n}",
    changes: [("b", nil)],
    expected: "{\n  \"a\": 1,\n  \"c\": 3\n}"),
  EditCase(
    name: "the end of a group", text: "{\n  \"a\": 1,\n  \"b\": 2,\n\n  \"c\": 3\n}",
    changes: [("b", nil)],
    expected: "{\n  \"a\": 1,\n\n  \"c\": 3\n}"),
  EditCase(
    name: "a group of its own", text: "{\n  \"a\": 1,\n\n  \"b\": 2,\n\n  \"c\": 3\n}",
    changes: [("b", nil)],
    expected: "{\n  \"a\": 1,\n\n  \"c\": 3\n}"),
  EditCase(
    name: "one goes and one comes", text: "{\n  \"a\": 1,\n  \"b\": 2\n}\n",
    changes: [("a", nil), ("c", 3)],
    expected: "{\n  \"b\": 2,\n  \"c\": 3\n}\n"),
  EditCase(
    name: "all go and one comes", text: "{\n\t\"a\": 1\n}\n", changes: [("a", nil), ("c", 3)],
    expected: "{\n\t\"c\": 3\n}\n"),
  EditCase(
    name: "where lines change their style", text: "{\"a\": 1,\n \"b\": 2\n ,\"c\": 3}",
    changes: [("b", nil)],
    expected: "{\"a\": 1\n ,\"c\": 3}"),
]
