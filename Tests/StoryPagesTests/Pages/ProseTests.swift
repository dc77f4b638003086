import StoryLibrary
import Testing

@testable import StoryPages

@Suite struct ProseTests {
  @Test(
    arguments: [
      ("", []), ("\n\n \n", []), ("one", [["one"]]),
      ("one\n\ntwo\n\n\n\nthree\n", [["one"], ["two"], ["three"]]),
      ("a verse\nof two lines\n\nthe end", [["a verse", "of two lines"], ["the end"]]),
      ("a\r\n\r\nb", [["a"], ["b"]]), ("a\n \t\nb", [["a"], ["b"]]),
    ] as [(String, [[String]])])
  func `empty lines separate paragraphs`(_ text: String, _ paragraphs: [[String]]) {
    #expect(Prose(text).paragraphs == paragraphs)
  }

  @Test(arguments: [(1, 1), (225, 2), (600, 4)])
  func `the time to read aloud is in whole minutes`(_ words: Int, _ minutes: Int) {
    #expect(Prose(Array(repeating: "word", count: words).joined(separator: " ")).minutes == minutes)
  }

  /// The paragraphs that pictures with these times stand before, in a text of four equal ones.
  private func places(_ times: [(Double?, Double?)]) throws -> [Int] {
    let sample = try SampleShelf()
    let ref = RecordRef(kind: .illustrations, name: "x/01")
    let asset = try #require(try sample.asset(ref, SampleShelf.png))
    let scenes = times.enumerated().map { order, time in
      ShelfMedia.Scene(asset: asset, text: "", order: order, time: time.0, duration: time.1)
    }
    let text = Array(repeating: "one two three four", count: 4).joined(separator: "\n\n")
    return Prose(text).places(of: scenes).map(\.paragraph)
  }

  @Test func `a picture stands where the narration reaches its scene`() throws {
    #expect(try places([(0, 10), (10, 10), (20, 20)]) == [0, 1, 2])
    #expect(try places([(0, 30), (31, 9)]) == [0, 3])
  }

  @Test func `pictures without times are spread evenly`() throws {
    #expect(try places([(nil, nil), (nil, nil)]) == [0, 2])
    #expect(try places([(0, 0), (0, 0), (0, nil)]) == [0, 1, 2])
    #expect(try places([(.infinity, 1), (.nan, 1)]) == [0, 2])
    #expect(try places(Array(repeating: (nil, nil), count: 9)).last == 3)
  }
}
