import StoryAPI
import StoryLibrary
import TestSupport
import Testing

@Suite(.inTurn) struct EnvelopeTests {
  @Test func `generation answers are read`() async throws {
    let server = try ScriptedServer { request, _ in
      switch request.target {
      case "/api/heroes/h/avatar":
        .answer(200, #"{"data":{"heroId":"h","avatarUrl":"https://m/x?sig=1","generationId":"g"}}"#)
      case "/api/stories/s/audio":
        .answer(200, #"{"data":{"audioUrl":null,"status":"processing"}}"#)
      case "/api/stories/s/illustrations/status":
        .answer(
          200,
          #"{"data":{"status":"partial","progress":66,"total":3,"completed":2,"processing":0,"failed":1,"pending":0,"illustrations":[{"id":"i","displayOrder":1,"status":"failed","error":"no","hasImage":false}]}}"#
        )
      case "/api/stories/s/illustrations": .answer(202, #"{"data":{}}"#)
      case "/api/user/usage":
        .answer(
          200,
          #"{"data":{"story_generation":{"limit":10,"remaining":9,"resetAt":"2026-11-20T10:00:00Z"},"note":"x"}}"#
        )
      default: .answer(404)
      }
    }
    let client = try APIClient(server)
    let avatar = try await client.generateAvatar(heroID: "h")
    #expect(avatar.url.value == "https://m/x?sig=1" && avatar.generationID == "g")
    #expect(!"\(avatar)".contains("sig="))
    #expect(try await client.audioStatus(storyID: "s") == AudioAnswer(state: .processing))
    try await client.generateIllustrations(storyID: "s")
    let progress = try await client.illustrationStatus(storyID: "s")
    #expect(progress.state == .partial && progress.percent == 66 && progress.failed == 1)
    #expect(progress.items.map(\.error) == ["no"])
    let usage = try await client.usage(policy: .networkOnly).value
    #expect(usage.map(\.operation) == ["story_generation"])
    #expect(usage[0].remaining == 9)
  }
}
