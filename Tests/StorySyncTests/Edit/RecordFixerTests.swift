import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import StorySync

@Suite(.inTurn) struct RecordFixerTests {
  @Test func oneFailureKeepsNothingElseFromBeingMended() throws {
    let world = try TestWorld()
    let a = try world.library("a")
    let text = #"{"name": "Nova", "age": "7", "traits": ["kind"]}"#
    for name in ["anna", "bela", "cleo"] { try a.write("heroes/\(name).json", text) }
    let scan = try a.scan()
    let problems = try scan.problems(of: scan.entries.map(\.ref), in: a.library)
    try a.remove("heroes/bela.json")
    var fixer = try RecordFixer(a.library, scan)
    let outcome = try fixer.fix(problems, isDryRun: false) { (try a.scan(), []) }
    #expect(outcome.fixed.map(\.problem.file) == ["heroes/anna.json", "heroes/cleo.json"])
    #expect(outcome.failures.map(\.file) == ["heroes/bela.json"])
    guard case .notRepaired(let what, let error?)? = outcome.failures.first?.what else {
      Issue.record("\(outcome.failures)")
      return
    }
    #expect(what == .wrongType("age", .wholeNumber, found: .string) && error.isMissing)
    #expect(try a.value("heroes/cleo.json")["age"] == 7)
    let history = RunHistory(try a.library)
    #expect(try history.runs().first?.report?["command"] == "check --fix")
    #expect(try history.undo().restored.map(\.name) == ["anna", "cleo"])
    #expect(try a.read("heroes/cleo.json") == text)
  }
}
