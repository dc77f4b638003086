import Testing

@testable import StoryServer

@Suite struct HTTPTargetTests {
  struct Case: CustomTestStringConvertible {
    var text: String
    var segments: [String]?
    var parameters: [HTTPTarget.Parameter] = []
    var testDescription: String { text }
  }

  @Test(arguments: [
    Case(text: "/", segments: [""]),
    Case(text: "/api/heroes", segments: ["api", "heroes"]),
    Case(text: "/api/heroes/", segments: ["api", "heroes", ""]),
    Case(text: "/api//heroes", segments: ["api", "", "heroes"]),
    Case(text: "/api/heroes/a%2Fb%20c", segments: ["api", "heroes", "a/b c"]),
    Case(text: "/caf%C3%A9/%F0%9F%A6%8A", segments: ["café", "🦊"]),
    Case(
      text: "/a?limit=5&cursor=1.%26x&empty=&bare&d=2026-11-20T10:00:00+01:00",
      segments: ["a"],
      parameters: [
        .init(name: "limit", value: "5"), .init(name: "cursor", value: "1.&x"),
        .init(name: "empty", value: ""), .init(name: "bare", value: ""),
        .init(name: "d", value: "2026-11-20T10:00:00+01:00"),
      ]),
    Case(text: "/a?b=c=d?e", segments: ["a"], parameters: [.init(name: "b", value: "c=d?e")]),
    Case(text: "http://localhost:80/api/x", segments: ["api", "x"]),
    Case(text: "HTTP://localhost", segments: [""]),
    Case(text: "http://localhost?a=b", segments: [""], parameters: [.init(name: "a", value: "b")]),
    Case(text: "*", segments: nil),
    Case(text: "localhost:80", segments: nil),
    Case(text: "ftp://localhost/", segments: nil),
    Case(text: "/a%2", segments: nil),
    Case(text: "/a%zz", segments: nil),
    Case(text: "/a%FF", segments: nil),
    Case(text: "/a?b=%C3", segments: nil),
    Case(text: "", segments: nil),
  ])
  func reads(_ example: Case) {
    let target = HTTPTarget(example.text)
    #expect(target?.segments == example.segments)
    if example.segments != nil { #expect(target?.parameters == example.parameters) }
  }
}
