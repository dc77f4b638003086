import StoryLibrary
import TestSupport
import Testing

@testable import StoryMerge

@Suite struct MergeCallTests {
  @Test(
    "a path's record is that of the innermost library around it",
    arguments: [
      ("heroes/luna.json", "heroes/luna", ""),
      ("stories/heroes/snow.json", "stories/heroes/snow", ""),
      ("stories/inner/heroes/.sync/luna.json", "heroes/luna", "stories/inner"),
      ("stories/inner/stories/heroes/snow.json", "stories/heroes/snow", "stories/inner"),
    ])
  func record(path: String, ref: String, library: String) throws {
    let folder = try TemporaryFolder()
    for name in ["library.json", "stories/inner/library.json"] {
      try folder.write("{}", to: name)
    }
    let call = try #require(MergeCall(["base", "ours", "theirs", path], in: folder.path))
    let record = try #require(call.record)
    #expect(record.ref.description == ref)
    #expect(record.library == library)
  }
}
