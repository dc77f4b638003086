import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import StorySync

/// One history of two libraries, with every kind of index and with one and with many threads: what
/// comes of it is always the same.
@Suite(.inTurn) struct ScanVariantTests {
  @Test func historyIsTheSame() async throws {
    let variants = ScanVariant.Index.allCases.flatMap { index in
      [1, 8].map { ScanVariant(workers: $0, index: index) }
    }
    let simplest = ScanVariant(workers: 1, index: .unused)
    let expected = try await ScanVariant.$current.withValue(simplest, operation: history)
    for variant in variants where variant.testDescription != simplest.testDescription {
      let found = try await ScanVariant.$current.withValue(variant, operation: history)
      for (step, pair) in zip(found, expected).enumerated() {
        #expect(pair.0 == pair.1, "\(variant.testDescription), step \(step)")
      }
      #expect(found.count == expected.count)
    }
  }

  /// What came of each step, in words that do not depend on ids and times.
  @Sendable private func history() async throws -> [String] {
    let world = try TestWorld()
    var steps: [String] = []
    let a = try Samples.filled(world, "a")
    for number in 0..<12 {
      try a.write(
        "stories/tales/tale-\(number).json",
        "{\n  \"title\": \"Tale \(number)\",\n  \"hero\": \"luna\",\n  \"content\": [\"one\", \"two\"]\n}\n"
      )
    }
    func sync(_ library: TestLibrary, _ direction: SyncOptions.Direction = .both) async throws {
      let report = try await library.sync(direction)
      steps.append(
        report.outline.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
          .joined(separator: "; "))
      steps.append("\(try library.states().mapValues(\.rawValue).sorted { $0.key < $1.key })")
    }
    try await sync(a, .push)
    let b = try world.library("b")
    try await sync(b)
    // Both sides edit, one of them a file of the same size.
    try a.edit("stories/tales/tale-1.json", "one", "uno")
    try b.edit("stories/tale-1.json", "two", "due")
    try a.edit("heroes/luna.json", "7", "8")
    try b.edit("heroes/luna.json", "7", "9")
    try a.edit("stories/tales/tale-2.json", "Tale 2", "Tale A")
    try b.edit("stories/tale-2.json", "Tale 2", "Tale B")
    try await sync(a)
    try await sync(b)
    try await sync(a)
    // Renamed, moved, removed, broken and fixed.
    try a.move("heroes/luna.json", "heroes/moon/luna-maria.json")
    try a.remove("stories/tales/tale-3.json")
    let fixed = try a.read("stories/tales/tale-4.json")
    try a.write("stories/tales/tale-4.json", "{")
    try await sync(a)
    try a.write("stories/tales/tale-4.json", fixed)
    try await sync(a)
    try await sync(b, .pull)
    // What git brings back: an older version of record and sidecar.
    let text = try b.read("stories/tale-5.json")
    let sidecar = try b.read("stories/.sync/tale-5.json")
    try a.edit("stories/tales/tale-5.json", "one", "eins")
    try await sync(a)
    try await sync(b)
    try b.write("stories/tale-5.json", text)
    try b.write("stories/.sync/tale-5.json", sidecar)
    try await sync(b)
    try await sync(a)
    for library in [a, b] {
      for (path, bytes) in try library.tracked().sorted(by: { $0.key < $1.key })
      where !path.contains(".sync") && path != "library.json" {
        steps.append("\(path): \(String(decoding: bytes, as: UTF8.self))")
      }
    }
    return steps
  }
}
