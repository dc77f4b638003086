import JSONText
import StoryAPI
import StoryLibrary
import StorySync
import TestSupport
import Testing

@Suite(.inTurn) struct IllustrationPullTests {
  private let pictures = Box<[String]>([])
  private let world: ScriptedLibrary

  init() throws {
    let pictures = pictures
    world = try ScriptedLibrary { request, _ in
      switch request.target.split(separator: "?").first.map(String.init) ?? "" {
      case "/api/stories/s1/illustrations":
        .answer(200, #"{"data":[\#(pictures.value.joined(separator: ","))]}"#)
      case "/api/health":
        .answer(
          200,
          #"{"data":{"status":"healthy","version":"1","features":["etag","tombstones"],"limits":{"page":100,"batch":100}}}"#
        )
      case "/api/stories":
        .answer(
          200,
          #"{"data":[{"id":"s1","title":"Snow","content":"It came.","heroId":"h1","language":"en","illustrationStatus":"completed","illustrationCount":\#(pictures.value.count),"createdAt":"2026-11-20T10:00:00.000Z","updatedAt":"2026-11-21T10:00:0\#(9 - pictures.value.count).000Z"}],"pagination":{"total":1,"limit":100,"offset":0,"hasMore":false}}"#
        )
      case "/api/heroes":
        .answer(
          200,
          #"{"data":[{"id":"h1","name":"Luna","age":7,"traits":["brave"],"updatedAt":"2026-11-20T10:00:00.000Z"}],"pagination":{"total":1,"limit":100,"offset":0,"hasMore":false}}"#
        )
      default:
        .answer(
          200, #"{"data":[],"pagination":{"total":0,"limit":100,"offset":0,"hasMore":false}}"#)
      }
    }
    try world.addLuna()
    try world.addSnow()
  }

  private static func picture(_ number: Int, scene: String = "Snow falls") -> String {
    #"{"id":"p\#(number)","storyId":"s1","displayOrder":\#(number),"sceneDescription":"\#(scene)","imagePrompt":"x","imageUrl":"/m/\#(number).png","generationStatus":"completed","audioTimestamp":\#(number),"createdAt":"2026-11-20T10:00:00.000Z","updatedAt":"2026-11-20T10:00:00.000Z"}"#
  }

  private func pull() async throws -> SyncReport {
    var options = SyncOptions()
    options.direction = .pull
    return try await world.repositories().sync(options)
  }

  private let first = "illustrations/snow/01.json"
  private let ref = RecordRef(kind: .illustrations, name: "snow/01")

  @Test func `a pull brings them, and one without changes changes nothing`() async throws {
    pictures.value = [Self.picture(2), Self.picture(1)]
    let report = try await pull()
    #expect(report.receivedNew.map(\.name) == ["snow/01", "snow/02"])
    #expect(
      try world.read(first) == """
        {
          "scene": "Snow falls",
          "order": 1,
          "status": "completed",
          "time": 1
        }

        """)
    #expect(try world.sidecar("illustrations/snow/01").server["imagePrompt"] == "x")
    let again = try await pull()
    #expect(again.isQuiet && again.overridden.isEmpty)
  }

  @Test func `a local edit is told, put back and kept`() async throws {
    pictures.value = [Self.picture(1)]
    _ = try await pull()
    let text = try world.read(first)
    try world.write(first, Array(#"{"scene":"mine"}"#.utf8))
    let report = try await pull()
    #expect(report.overridden.map(\.ref) == [ref])
    #expect(report.overridden.map(\.kept) == ["server"])
    #expect(try world.read(first) == text)
    let run = try #require(report.run)
    #expect(try world.read(".stories/runs/\(run)/saved.jsonl").contains("mine"))
  }

  @Test(arguments: ["removed", "broken"])
  func `what was lost here comes back`(_ how: String) async throws {
    pictures.value = [Self.picture(1)]
    _ = try await pull()
    let text = try world.read(first)
    if how == "removed" {
      try FileSystem.remove(world.path(first))
    } else {
      try world.write(first, Array("{".utf8))
    }
    #expect(try await pull().overridden.map(\.ref) == [ref])
    #expect(try world.read(first) == text)
  }

  @Test func `what a killed pull left without its sidecar gets it`() async throws {
    pictures.value = [Self.picture(1)]
    _ = try await pull()
    try FileSystem.remove(world.path("illustrations/snow/.sync/01.json"))
    try FileSystem.remove(world.path(".stories/pulls.json"))
    _ = try await pull()
    #expect(try world.sidecar("illustrations/snow/01").id == "p1")
    var scanner = try Scanner(Library(root: world.path("")))
    scanner.kinds = [.illustrations]
    #expect(try scanner.scan().entries.map(\.state) == [.synced])
  }

  @Test func `pictures that were made again take the place of the old ones`() async throws {
    pictures.value = [Self.picture(1), Self.picture(2)]
    _ = try await pull()
    pictures.value = [Self.picture(3, scene: "Another")]
    let report = try await pull()
    #expect(report.receivedDeletes.map(\.name).sorted() == ["snow/01", "snow/02"])
    #expect(report.receivedNew == [ref])
    #expect(try world.sidecar("illustrations/snow/01").id == "p3")
  }

  @Test func `those of a story whose name ends in json are in a folder that a scan looks at`()
    async throws
  {
    let (old, new) = (RecordRef(kind: .stories, name: "snow"), "snow.json")
    let snow = RecordRef(kind: .stories, name: new)
    let library = try world.library
    for (from, to) in [(old.path, snow.path), (old.sidecarPath, snow.sidecarPath)] {
      try FileSystem.rename(library.path(from), to: library.path(to))
    }
    pictures.value = [Self.picture(1)]
    #expect(try await pull().receivedNew.map(\.name) == ["snow/01"])
    #expect(try world.read(first).contains("Snow falls"))
    #expect(try await pull().isQuiet)
    let picture = try await world.repositories().illustrations.fetch("snow/01").value
    #expect(picture.scene == "Snow falls")
  }

  @Test func `a push leaves them alone`() async throws {
    pictures.value = [Self.picture(1)]
    _ = try await pull()
    try world.write(first, Array(#"{"scene":"mine"}"#.utf8))
    var options = SyncOptions()
    options.direction = .push
    let report = try await world.repositories().sync(options)
    #expect(report.isQuiet)
    #expect(try world.read(first) == #"{"scene":"mine"}"#)
  }

  @Test func `the repository asks and gives them`() async throws {
    try world.addSnow(["illustrationStatus": "completed", "illustrationCount": 1])
    pictures.value = [Self.picture(1)]
    let all = try await world.repositories().illustrations.fetchAll(policy: .networkOnly).value
    #expect(all.map(\.scene) == ["Snow falls"] && all.map(\.order) == [1])
    #expect(all.first?.storyID == "s1")
  }
}
