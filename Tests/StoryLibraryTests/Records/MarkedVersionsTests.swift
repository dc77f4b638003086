import Testing

@testable import StoryLibrary

@Suite("Texts with git's conflict markers")
struct MarkedVersionsTests {
  struct Row: Sendable {
    var text: String
    var ours: String
    var base: String?
    var theirs: String
    var line = 2
  }

  @Test(
    "are taken apart",
    arguments: [
      NamedCase(
        "two versions",
        Row(
          text: "{\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> b\n}\n", ours: "{\n1\n}\n",
          theirs: "{\n2\n}\n")),
      NamedCase(
        "with the base",
        Row(
          text: "{\n<<<<<<< HEAD\n1\n||||||| 4f\n0\n=======\n2\n>>>>>>> b\n}\n", ours: "{\n1\n}\n",
          base: "{\n0\n}\n", theirs: "{\n2\n}\n")),
      NamedCase(
        "CRLF",
        Row(
          text: "{\r\n<<<<<<< HEAD\r\n1\r\n=======\r\n2\r\n>>>>>>> b\r\n}", ours: "{\r\n1\r\n}",
          theirs: "{\r\n2\r\n}")),
      NamedCase(
        "an empty side",
        Row(text: "{\n<<<<<<<\n=======\n2\n>>>>>>>\n}", ours: "{\n}", theirs: "{\n2\n}")),
      NamedCase(
        "several conflicts",
        Row(
          text: "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\nx\n<<<<<<< a\n3\n=======\n4\n>>>>>>> b\n",
          ours: "1\nx\n3\n", theirs: "2\nx\n4\n", line: 1)),
      NamedCase(
        "a base that was in conflict itself",
        Row(
          text: "<<<<<<< a\n1\n|||||||\n<<<<<<<<< T\n8\n=========\n9\n>>>>>>>>> U\n=======\n2\n"
            + ">>>>>>> b\n",
          ours: "1\n", base: "<<<<<<<<< T\n8\n=========\n9\n>>>>>>>>> U\n", theirs: "2\n",
          line: 1)),
    ])
  func versions(_ row: NamedCase<Row>) throws {
    let marked = try #require(MarkedVersions(Array(row.value.text.utf8)))
    #expect(String(decoding: marked.ours.bytes, as: UTF8.self) == row.value.ours)
    #expect(String(decoding: marked.theirs.bytes, as: UTF8.self) == row.value.theirs)
    #expect(marked.base.map { String(decoding: $0.bytes, as: UTF8.self) } == row.value.base)
    #expect(marked.line == row.value.line)
  }

  @Test func linesAndNamesAreThoseOfTheFile() throws {
    let text = "{\n<<<<<<< HEAD\n1\n=======\n2\n3\n>>>>>>> my branch\n}\n"
    let marked = try #require(MarkedVersions(Array(text.utf8)))
    #expect(marked.ours.label == "HEAD" && marked.theirs.label == "my branch")
    #expect([1, 2, 3].map(marked.ours.markedLine) == [1, 3, 8])
    #expect([1, 2, 3, 4].map(marked.theirs.markedLine) == [1, 5, 6, 8])
  }

  @Test(
    "are none without all markers in order at line starts",
    arguments: [
      "", "{}", "=======\n", "<<<<<<< a\n=======\n", "<<<<<<< a\n1\n>>>>>>> b\n",
      ">>>>>>> b\n=======\n<<<<<<< a\n", "<<<<<<< a\n=======\n=======\n>>>>>>> b\n",
      "{\"a\": \"<<<<<<< a\n =======\n >>>>>>> b\"}", "<<<<<< a\n======\n>>>>>> b\n",
      "<<<<<<< a\n========\n>>>>>>> b\n", "<<<<<<<a\n=======\n>>>>>>> b\n",
    ])
  func others(_ text: String) { #expect(MarkedVersions(Array(text.utf8)) == nil) }
}
