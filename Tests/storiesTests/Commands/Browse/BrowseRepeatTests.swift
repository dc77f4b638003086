import JSONText
import StoryAPI
import TestSupport
import Testing

@testable import stories

/// A button may be pressed twice, and a browser shows the answer to the last press.
@Suite(.inTurn) struct BrowseRepeatTests {
  private static let page = "/conflicts/\(ConflictedLibraries.story)"

  @Test func `a decision that is sent again is answered as the first one`() async throws {
    let world = try await ConflictedLibraries()
    let browsed = try BrowsedLibrary(world.folder) { program in
      program.folder = world.folder.path("ben")
      program.environment.merge(world.ben.environment) { $1 }
    }
    let text = try browsed.text(Self.page)
    var fields = ["whole=server"]
    for name in ["state", "id", "token"] {
      let value = try #require(
        text.firstMatch(of: try Regex("name=\"\(name)\" value=\"([^\"]*)\""))?[1].substring)
      fields.append("\(name)=\(value)")
    }
    let form = fields.joined(separator: "&")
    let answers = try (0..<3).map { _ in try browsed.post(Self.page, form) }
    #expect(answers.map(\.status) == [303, 303, 303])
    #expect(Set(answers.map { $0.headers["Location"] }).count == 1)
    // Another decision from the same page is not the same form.
    let other = try browsed.post(
      Self.page, form.replacing("whole=server", with: "whole=local&text.title=Our+Snow"))
    #expect(other.status == 409 && other.page.contains("Our Snow"))
    #expect(try world.value()["title"] == "Their Snow")
  }
}
