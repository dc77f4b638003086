import TestSupport
import Testing

@testable import StoryLibrary

@Suite("Temporary names")
struct TemporaryNameTests {
  @Test(
    "written and read again",
    arguments: ["luna.json", "a-b-c.json", "-", "\u{301}x.json", "é.json"])
  func roundTrip(_ finalName: String) throws {
    let (new, old) = (ContentDigest("new".utf8), ContentDigest("old".utf8))
    for (isNew, isOld) in [(true, true), (true, false), (false, true)] {
      let name = try TemporaryName(
        new: isNew ? new : nil, old: isOld ? old : nil, for: "/x/" + finalName)
      let again = try #require(TemporaryName(name.text))
      #expect(again == name)
      #expect(again.finalName.utf8.elementsEqual(finalName.utf8))
      #expect(TemporaryName.isPrefix(of: name.text))
      #expect(again.knows(new) == isNew)
      #expect(again.knows(old) == isOld)
      #expect(again.isNew(new) == isNew)
      #expect(!again.isNew(old))
      #expect(!again.knows(ContentDigest("edit".utf8)))
    }
  }

  @Test(
    "names of another form",
    arguments: [
      "luna.json", ".stories-tmp-", ".stories-tmp-x", ".stories-tmp-0-0-luna.json",
      ".stories-tmp-0000000000000000-0000000000000000-",
      ".stories-tmp-0000000000000000-luna.json", ".stories-temp-0-0-x",
    ])
  func refused(_ name: String) {
    #expect(TemporaryName(name) == nil)
  }

  @Test("a temporary name fits where the final one does")
  func length() throws {
    let longest = String(repeating: "x", count: TemporaryName.longestFinalName)
    #expect(try TemporaryName(new: nil, old: nil, for: longest).text.utf8.count <= 255)
    #expect(throws: FileError.self) { try TemporaryName(new: nil, old: nil, for: longest + "x") }
  }
}
