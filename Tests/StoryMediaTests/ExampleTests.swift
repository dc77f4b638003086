import StoryAPI
import StoryLibrary
import StoryMedia
import StorySync
import TestSupport
@testable import StorySyncTests
import Testing

/// The example of the page on repositories, as it stands there.
private enum Example {
  // BEGIN
  func writeStory(about name: String, with repositories: Repositories) async throws -> Story {
    let hero = try repositories.heroes.create(Hero(name: name, age: 7, traits: ["curious"]))
    try repositories.heroes.update(hero.ref.name) { $0.traits.append("brave") }

    let wish = StoryWish(hero: hero.ref.name, event: .builtIn("rainyDay"))
    var ref = hero.ref
    for try await step in repositories.stories.generate(wish) {
      switch step {
      case .pushing(let ref): print("Sending \(ref)")
      case .finished(let result): ref = result.ref
      default: break
      }
    }
    return try await repositories.stories.fetch(ref.name, policy: .cacheOnly).value
  }
  // END
}

@Suite(.inTurn) struct ExampleTests {
  @Test func `the page shows what is compiled here`() throws {
    let file = #filePath
    let root = file.components("/Tests/StoryMediaTests")[0]
    func lines(_ path: String) throws -> [Substring] {
      String(decoding: try FileSystem.read(path), as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
    }
    let code = try lines(file)
    let begin = try #require(code.firstIndex(of: "  // BEGIN"))
    let end = try #require(code.firstIndex(of: "  // END"))
    // Two spaces less: it stands within a type here.
    let compiled = code[(begin + 1)..<end].map { String($0.dropFirst(2)) }
    let page = try lines(root + "/Sources/StorySync/StorySync.docc/UsingRepositories.md")
    let start = try #require(page.firstIndex { $0.hasPrefix("func writeStory") })
    #expect(page[start..<(start + compiled.count)].map(String.init) == compiled)
  }
}

extension String {
  fileprivate func components(_ separator: String) -> [String] {
    ranges(of: separator).first.map { [String(self[..<$0.lowerBound])] } ?? [self]
  }
}
