import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

/// A library `mine` for which a server drew pictures and read a story aloud; none of that is on this
/// machine yet.
struct IllustratedLibrary {
  let server: TestServer
  let folder: TemporaryFolder
  let setting: CommandSetting

  init() async throws {
    server = try TestServer { options in
      var engine = TestEngine()
      engine.speaking = { (_) async throws(EngineError) in
        Narration(bytes: SampleSound.mp3(frames: 50), voice: "test")
      }
      options.generation.engine = engine
    }
    folder = try TemporaryFolder()
    setting = try server.library(in: folder, "mine")
    try folder.write(SampleLibrary.luna, to: "mine/heroes/luna.json")
    try folder.write(SampleLibrary.tooth, to: "mine/events/lost-tooth.json")
    try folder.write(SampleLibrary.snow, to: "mine/stories/first-snow.json")
    for command in [
      ["avatar", "luna"], ["illustrations", "first-snow"], ["audio", "first-snow"],
    ] {
      let run = await setting.run(["generate"] + command)
      try #require(run.code == .done, "\(run.errors)")
    }
  }
}
