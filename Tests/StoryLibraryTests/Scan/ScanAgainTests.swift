import JSONText
import Testing

@testable import StoryLibrary

/// Looking again at a few records finds what a whole scan finds, or says that it cannot tell.
@Suite struct ScanAgainTests {
  private let test: TestLibrary
  private let refs: [RecordRef]

  init() throws {
    let test = try TestLibrary()
    self.test = test
    refs = (0..<40).map { RecordRef(kind: $0 < 8 ? .heroes : .stories, name: "record-\($0)") }
    for (number, ref) in refs.enumerated() {
      try Self.write(test, ref, number: number, version: 0)
    }
  }

  private static func write(
    _ test: TestLibrary, _ ref: RecordRef, number: Int, version: Int
  ) throws {
    let text =
      ref.kind == .heroes
      ? heroText("Hero \(number)", age: 5 + version % 90)
      : #"{"title": "Story \#(version)", "heroId": "id-0", "content": "Words of \#(number)"}"#
    try test.synced(ref, id: "id-\(number)", text)
  }

  @Test func findsWhatAWholeScanFinds() throws {
    // A history may leave nothing to tell for long; together they have to.
    let answers = try (1...40).map { try ScanAgainTests().answers(seed: $0) }
    #expect(answers.reduce(0, +) >= 100, "\(answers)")
    #expect(answers.count { $0 > 0 } >= 20, "\(answers)")
  }

  /// Plays a history, and compares wherever the second look tells something; how often it did.
  private func answers(seed: UInt64) throws -> Int {
    var random = SplitMix64(seed: seed)
    var scan = try test.scan()
    var answers = 0
    for step in 1...12 {
      var touched: Set<RecordRef> = []
      for _ in 0...random.below(3) {
        let number = random.below(refs.count)
        touched.insert(refs[number])
        try change(number, step, &random)
      }
      let whole = try test.scan()
      if let again = Scanner(test.library).scan(again: touched, of: scan) {
        answers += 1
        #expect(again.entries == whole.entries, "seed \(seed), step \(step)")
        #expect(again.staleSidecars == whole.staleSidecars, "seed \(seed), step \(step)")
        for ref in refs { #expect(again.entry(ref) == whole.entry(ref), "seed \(seed)") }
      }
      scan = whole
    }
    return answers
  }

  /// What an edit, a sync, git or an accident does to a pair of files.
  private func change(_ number: Int, _ step: Int, _ random: inout SplitMix64) throws {
    let ref = refs[number]
    switch random.below(12) {
    case 0...4: try Self.write(test, ref, number: number, version: step)
    case 5, 6:
      try test.write(ref, ref.kind == .heroes ? heroText("Edited \(step)") : #"{"title": "E"}"#)
    case 7: try test.write(ref, "{")
    case 8:
      try Self.write(test, ref, number: number, version: step)
      try test.sidecar(ref, id: "new-\(number)-\(step)", base: ["name": "N", "title": "N"])
    case 9: try Self.write(test, ref, number: (number + 1) % refs.count, version: step)
    case 10: try FileSystem.remove(test.library.path(ref.path))
    default: try FileSystem.remove(test.library.path(ref.sidecarPath))
    }
  }

  @Test func tellsOfAFewOrdinaryChanges() throws {
    let scan = try test.scan()
    try test.write(refs[20], #"{"title": "Mine", "heroId": "id-0", "content": "Mine"}"#)
    let again = try #require(Scanner(test.library).scan(again: [refs[20]], of: scan))
    #expect(again.entry(refs[20])?.state == .pendingUpdate)
    #expect(again.entries == (try test.scan().entries))
  }
}
