import StoryAPI
import StoryLibrary
import StoryMedia
import StorySync
@testable import StorySyncTests
import TestSupport
import Testing

@Suite struct MediaPruneTests {
  private let day = 86_400
  private let world: ScriptedLibrary

  init() throws { world = try ScriptedLibrary { _, _ in .drop } }

  /// A file that was last used so many days ago.
  @discardableResult
  private func add(_ path: String, days: Int, size: Int = 10) throws -> String {
    let relative = ".stories/media/" + path
    try world.write(relative, [UInt8](repeating: 0, count: size))
    let seconds = Int(world.clock.now.seconds) - days * day
    try FileSystem.setModified(world.path(relative), seconds * 1_000_000_000)
    return relative
  }

  private var store: MediaStore {
    get throws { MediaStore(try world.library, time: world.clock.source) }
  }

  @Test func `by age: narrations after 30 days, pictures after 14, avatars never`() throws {
    try add("audio/snow.s1.00000001.wav", days: 29)
    try add("audio/2026/rain.s2.00000001.wav", days: 31)
    try add("illustrations/snow/01.p1.00000001.png", days: 13)
    try add("illustrations/rain/01.p2.00000001.png", days: 15)
    try add("avatars/luna.h1.00000001.png", days: 4_000)
    let plan = try store.prune(isDryRun: true)
    #expect(try world.media().count == 5)
    let prune = try store.prune()
    #expect(prune.removed.map(\.file.ref.name).sorted() == ["2026/rain", "rain/01"])
    #expect(prune.removed.allSatisfy { $0.reason == .age })
    #expect(plan.removed == prune.removed)
    #expect(prune.keptCount == 3 && prune.keptSize == 30)
    // Folders that became empty go with them.
    #expect(!FileSystem.exists(world.path(".stories/media/audio/2026")))
    world.clock.advance(by: .seconds(2 * day))
    #expect(try store.prune().removed.map(\.file.ref.name).sorted() == ["snow", "snow/01"])
    #expect(try world.media() == ["avatars/luna.h1.00000001.png"])
  }

  @Test func `what a run that died left half written goes at once`() throws {
    let name = "partial/.stories-tmp-0000000000000001-0000000000000000-audio.s1.00000001.json"
    try add(name, days: 0)
    try add("partial/audio.s1.00000001", days: 0)
    _ = try store.prune(isDryRun: true)
    #expect(try world.media("partial").count == 2)
    _ = try store.prune()
    #expect(try world.media("partial") == ["partial/audio.s1.00000001"])
  }

  @Test func `by size: those that are longest unused, but no avatar`() throws {
    try add("avatars/luna.h1.00000001.png", days: 9, size: 60)
    try add("audio/a.s1.00000001.wav", days: 1, size: 30)
    try add("audio/b.s2.00000001.wav", days: 3, size: 30)
    try add("illustrations/a/01.p1.00000001.png", days: 2, size: 30)
    let prune = try store.prune(MediaBounds(totalSize: 100))
    #expect(prune.removed.map(\.file.ref.name) == ["b", "a/01"])
    #expect(prune.removed.allSatisfy { $0.reason == .size })
    #expect(prune.keptSize == 90)
  }

  @Test func `use keeps a file young`() throws {
    try add("audio/snow.s1.00000001.wav", days: 29)
    let file = try #require(try store.files().first)
    #expect(try store.use(file).usedAt == world.clock.now)
    world.clock.advance(by: .seconds(20 * day))
    #expect(try store.prune().removed.isEmpty)
  }

  @Test func `a file in use stays`() throws {
    let path = try add("audio/snow.s1.00000001.wav", days: 99)
    do {
      let lock = try #require(try FileLock(world.path(path), .shared))
      let prune = try store.prune()
      #expect(prune.removed.isEmpty && prune.inUse.map(\.path) == [path])
      withExtendedLifetime(lock) {}
    }
    #expect(try store.prune().removed.count == 1)
  }

  @Test func `links and files of other makers are left alone`() throws {
    let outside = Path.join(Path.parent(world.root), "outside")
    try FileSystem.makeFolder(outside)
    let far = Path.join(outside, "snow.s1.00000001.wav")
    try AtomicFile.write([1], to: far)
    try FileSystem.setModified(far, 1)
    try FileSystem.makeFolder(world.path(".stories/media/audio"))
    try TestFiles.link(at: world.path(".stories/media/audio/snow.s1.00000001.wav"), to: far)
    try TestFiles.link(at: world.path(".stories/media/illustrations"), to: outside)
    try add("audio/notes.txt", days: 99)
    let prune = try store.prune(MediaBounds(totalSize: 0))
    #expect(prune.removed.isEmpty && prune.keptCount == 0)
    #expect(FileSystem.exists(far))
    #expect(try world.media("audio").count == 2)
  }

  @Test func `parts that nobody went on with go after a week`() throws {
    try add("partial/avatars.h1.00000001", days: 8)
    try add("partial/avatars.h2.00000001", days: 6)
    _ = try store.prune()
    #expect(try world.media("partial") == ["partial/avatars.h2.00000001"])
  }
}
