import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

@Suite(.inTurn) struct MediaCommandTests {
  private let library: SampleLibrary

  init() throws { library = try SampleLibrary() }

  private func add(_ path: String, days: Int, size: Int) throws {
    let file = library.folder.path(".stories/media/" + path)
    try FileSystem.makeFolder(Path.parent(file))
    try AtomicFile.write([UInt8](repeating: 7, count: size), to: file)
    let now = try #require(try FileSystem.status(file)).modified
    try FileSystem.setModified(file, now - days * 86_400 * 1_000_000_000)
  }

  @Test func `nothing there is said with what to do`() async {
    let list = await library.run("media", "list")
    #expect(list.output == "No files on this machine. Fetch them: stories media pull\n")
    let kinto = await library.run("media", "list", "--server", "http://127.0.0.1:1/v1/buckets/b")
    #expect(kinto.output == "No files on this machine.\n")
    let pull = await library.run("media", "pull")
    #expect(pull.code == .done && pull.output.isEmpty)
    #expect(
      pull.errors
        == "No record has pictures or narrations on the server. Make one: stories generate avatar HERO\n"
    )
    let prune = await library.run("media", "prune")
    #expect(prune.output == "0 files removed, 0 bytes; 0 files kept, 0 bytes.\n")
  }

  @Test func `files are listed by what they are`() async throws {
    try add("avatars/luna.h1.00000001.png", days: 3, size: 2_000)
    try add("audio/2026/first-snow.s1.00000001.wav", days: 1, size: 1_234_567)
    let list = await library.run("media", "list")
    #expect(
      list.output == """
        avatar     2.0 KB  3 days  heroes/luna
        narration  1.2 MB  1 day   stories/2026/first-snow

        2 files, 1.2 MB.

        """)
    let json = await library.run("media", "list", "--json").json
    #expect(json?["schema"] == "stories.media-list/1")
    #expect(json?["files"]?.array?.first?["ref"] == "heroes/luna")
    #expect(json?["size"]?.integer == 1_236_567)
  }

  @Test func `prune shows first and removes then`() async throws {
    try add("audio/2026/first-snow.s1.00000001.wav", days: 31, size: 10)
    try add("avatars/luna.h1.00000001.png", days: 31, size: 10)
    let plan = await library.run("media", "prune", "--dry-run")
    #expect(plan.output.hasSuffix("1 file would be removed, 10 bytes; 1 file kept, 10 bytes.\n"))
    #expect(
      FileSystem.exists(library.folder.path(".stories/media/audio/2026/first-snow.s1.00000001.wav"))
    )
    let prune = await library.run("media", "prune", "--json")
    #expect(prune.json?["removed"]?.array?.first?["reason"] == "age")
    #expect(prune.json?["kept"]?.integer == 1)
    #expect(
      !FileSystem.exists(
        library.folder.path(".stories/media/audio/2026/first-snow.s1.00000001.wav")))
  }

  @Test(arguments: [("500MB", 500_000_000), ("2GiB", 2 << 30), ("12", 12), ("1kb", 1_000)])
  func `sizes are read`(_ word: String, _ bytes: Int) throws {
    #expect(try MediaPruneCommand.Size.parse(word).bytes == bytes)
  }

  @Test(arguments: ["", "MB", "-1", "1.5GB", "9999999999999GB", "12 apples"])
  func `what is no size is refused`(_ word: String) {
    #expect(throws: ValueProblem.self) { try MediaPruneCommand.Size.parse(word) }
  }

  @Test func `a record without files says so`() async throws {
    let show = await library.run("show", "luna", "--media")
    #expect(show.code == .done && show.output.isEmpty)
    #expect(show.errors == "heroes/luna has no file on the server, as of the last sync.\n")
    let json = await library.run("show", "luna", "--media", "--json").json
    #expect(json?["schema"] == "stories.show-media/1" && json?["files"] == [])
  }
}
