import JSONText
import StoryAPI
import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// `engine` and `generate` with the embedded server, against a scripted engine over a real socket.
@Suite(.inTurn) struct EngineCommandTests {
  private let folder: TemporaryFolder
  private var setting: CommandSetting

  init() throws {
    folder = try TemporaryFolder()
    _ = try Library.create(
      at: folder.path("mine"), configuration: LibraryConfiguration(server: .embedded))
    try folder.write(SampleLibrary.luna, to: "mine/heroes/luna.json")
    setting = CommandSetting(folder.path("mine"))
    setting.environment = [
      "STORIES_CONFIG_DIR": folder.path("config"), "STORIES_RETRY": "0",
      // Without the programs of this machine.
      "PATH": folder.path("none"),
    ]
  }

  private func run(_ words: String...) async -> CommandRun { await setting.run(words) }

  /// Sets the engines to a scripted one.
  private func use(_ engine: ScriptedEngine, _ model: String = "good") async {
    for role in ["text", "pictures", "speech"] {
      let run = await run("engine", "set", role, "--url", engine.url, "--model", model)
      #expect(run.code == .done, "\(run.errors)")
    }
  }

  @Test func `a story, its pictures and its narration come from the engines`() async throws {
    let engine = try ScriptedEngine()
    await use(engine)
    let made = await run(
      "generate", "story", "--hero", "luna", "--language", "fr", "--audio", "--illustrations",
      "--json")
    #expect(made.code == .done, "\(made.errors)")
    #expect(made.json?["ref"] == "stories/le-train-de-nuit-de-luna")
    #expect(made.json?["placeholder"] == false)
    #expect(made.json?["audio"]?["status"] == "completed")
    #expect(made.json?["illustrations"]?["completed"] == 4)
    let avatar = await run("generate", "avatar", "luna", "--prompt", "in a red raincoat")
    #expect(avatar.code == .done, "\(avatar.errors)")
    let prompt = try #require(engine.storyPrompts.first)
    for word in ["French", "Luna", "Age: 7", "brave, curious", "talks to stars", "going to bed"] {
      #expect(prompt.contains(word), "\(word)")
    }
    #expect(!prompt.contains("{{") && !prompt.contains("Mood:"))
    let pictures = engine.picturePrompts
    #expect(pictures.count == 5)
    #expect(pictures.prefix(4).allSatisfy { $0.contains("at the station") })
    #expect(pictures.last?.contains("in a red raincoat") == true)
    let pull = await run("media", "pull", "--json")
    #expect(pull.code == .done, "\(pull.errors)")
    let paths = pull.json?["fetched"]?.array?.compactMap { $0["path"]?.string } ?? []
    #expect(paths.filter { $0.hasSuffix(".png") }.count == 5)
    #expect(paths.filter { $0.hasSuffix(".mp3") }.count == 1)
    let show = await run("show", "stories/le-train-de-nuit-de-luna")
    #expect(!show.errors.contains("placeholder"))
    #expect(await run("status", "--json").json?["records"] == [])
    // The next story does not repeat this one.
    _ = await run("generate", "story", "--hero", "luna")
    #expect(engine.storyPrompts.last?.contains("“Le train de nuit de Luna”") == true)
  }

  /// What the person who waits reads, by the model that fails.
  static let failures: [(ScriptedEngine.Fault, String)] = [
    (.quota, "the quota of the engine's account is used up"),
    (.busy, "the engine is busy and asks to wait 120 s"),
    (.broken, "the engine answered 500"), (.unsafe, "the engine refused for reasons of safety"),
    (.filtered, "the engine refused for reasons of safety"),
    (.refusal, "I’m sorry, I cannot help with that"),
    (.empty, "the engine's answer is empty"), (.cut, "ends in the middle"),
    (.unknown, "The model `unknown` does not exist"), (.dropped, "the engine cannot be reached"),
    (.moved, "redirects to http://127.0.0.1:9, which is not followed"),
    (.spanish, "another language (es instead of en)"), (.prose, "there is no story in"),
  ]

  @Test(arguments: failures)
  func `a story that fails ends with 1 and the reason, and nothing is stored`(
    _ fault: ScriptedEngine.Fault, _ reason: String
  ) async throws {
    let engine = try ScriptedEngine()
    await use(engine, fault.rawValue)
    let made = await run("generate", "story", "--hero", "luna")
    #expect(made.code == .failed && made.errors.contains(reason), "\(made.errors)")
    #expect(made.errors.contains("Hint: "))
    #expect(
      !FileSystem.exists(folder.path("mine/stories"))
        || (try? FileSystem.list(folder.path("mine/stories")))?.isEmpty == true)
    _ = await run("engine", "set", "text", "--url", engine.url, "--model", "good")
    let again = await run("generate", "story", "--hero", "luna")
    #expect(again.code == .done, "\(again.errors)")
    #expect(await run("list", "stories", "--json").json?["records"]?.array?.count == 1)
  }

  @Test(arguments: [
    ScriptedEngine.Fault.quota, .busy, .broken, .unsafe, .empty, .unknown, .dropped,
  ])
  func `a picture or a narration that fails says why`(_ fault: ScriptedEngine.Fault) async throws {
    let engine = try ScriptedEngine()
    await use(engine, fault.rawValue)
    _ = await run("engine", "set", "text", "--url", engine.url, "--model", "good")
    let reason = try #require(Self.failures.first { $0.0 == fault }?.1)
    let avatar = await run("generate", "avatar", "luna")
    #expect(avatar.code == .failed && avatar.errors.contains(reason), "\(avatar.errors)")
    let story = await run(
      "generate", "story", "--hero", "luna", "--audio", "--illustrations", "--json")
    #expect(story.code == .failed)
    let narration = story.errors.split(separator: "\n").first { $0.contains("the narration could") }
    #expect(narration?.contains(reason) == true, "\(story.errors)")
    #expect(story.errors.contains("picture 1 could not be made: "), "\(story.errors)")
    let ref = try #require(story.json?["ref"]?.string)
    // The same things are made once the engine is well.
    await use(engine)
    #expect(await run("generate", "audio", ref).code == .done)
    #expect(await run("generate", "illustrations", ref).code == .done)
    #expect(await run("generate", "avatar", "luna").code == .done)
  }

  @Test func `an engine that asks for a moment is asked again`() async throws {
    let engine = try ScriptedEngine()
    await use(engine, ScriptedEngine.Fault.resting.rawValue)
    #expect(await run("generate", "story", "--hero", "luna").code == .done)
    #expect(engine.storyPrompts.count == 2)
  }

  @Test func `silence ends after the time that was set`() async throws {
    let engine = try ScriptedEngine()
    await use(engine, ScriptedEngine.Fault.slow.rawValue)
    let made = await run("generate", "story", "--hero", "luna", "--set", "generationTimeout=11s")
    #expect(made.code == .failed)
    #expect(made.errors.contains("no answer within 1 s"), "\(made.errors)")
    #expect(made.errors.contains("generationTimeout"))
    let avatar = await run("generate", "avatar", "luna", "--set", "generationTimeout=11s")
    #expect(avatar.code == .failed)
    #expect(avatar.errors.contains("no answer within 1 s"), "\(avatar.errors)")
  }

  @Test func `whoever interrupts leaves nothing half done`() async throws {
    let engine = try ScriptedEngine()
    await use(engine, ScriptedEngine.Fault.slow.rawValue)
    var setting = setting
    let (signals, send) = AsyncStream.makeStream(of: Int32.self)
    setting.signals = Signals { signals }
    let task = Task { [setting] in await setting.run("generate", "story", "--hero", "luna") }
    try await eventually { !engine.storyPrompts.isEmpty }
    send.yield(2)
    let made = await task.value
    #expect(made.code == .interrupted)
    #expect(made.errors.contains("nothing is left half done"), "\(made.errors)")
    #expect(await run("sync").code == .done)
    #expect(await run("list", "stories", "--json").json?["records"] == [])
  }

  @Test func `whoever interrupts the pictures of a story is told that it is saved`() async throws {
    let engine = try ScriptedEngine()
    await use(engine)
    _ = await run("engine", "set", "pictures", "--url", engine.url, "--model", "slow")
    var setting = setting
    let (signals, send) = AsyncStream.makeStream(of: Int32.self)
    setting.signals = Signals { signals }
    setting.time.sleep = { time in
      send.yield(2)
      // A second signal would end the tests.
      send.finish()
      try await Task.sleep(for: time)
    }
    let made = await setting.run("generate", "story", "--hero", "luna", "--illustrations")
    #expect(made.code == .interrupted)
    let ref = "stories/the-night-train-of-luna"
    let hint = "\(ref) is saved; continue with: stories generate illustrations \(ref)"
    #expect(made.errors.contains(hint), "\(made.errors)")
    #expect(FileSystem.exists(folder.path("mine/\(ref).json")))
  }

  @Test(arguments: ScriptedEngine.Manner.allCases)
  func `engines that do it in another way are understood`(
    _ manner: ScriptedEngine.Manner
  ) async throws {
    let engine = try ScriptedEngine()
    await use(engine, manner.rawValue)
    let made = await run(
      "generate", "story", "--hero", "luna", "--audio", "--illustrations", "--json")
    #expect(made.code == .done, "\(made.errors)")
    #expect(made.json?["ref"] == "stories/the-night-train-of-luna")
    #expect(made.json?["audio"]?["duration"] != nil)
  }

  @Test func `a story is written anew in its place, and undo brings the old text back`()
    async throws
  {
    let engine = try ScriptedEngine()
    await use(engine)
    try folder.write(
      SampleLibrary.snow.replacing("  \"event\": \"lost-tooth\",\n", with: ""),
      to: "mine/stories/snow.json")
    let made = await run("generate", "story", "--regenerate", "snow")
    #expect(made.code == .done, "\(made.errors)")
    let text = try folder.read("mine/stories/snow.json")
    #expect(text.contains("The Night Train of Luna") && text.contains("\"hero\": \"luna\""))
    // Nothing is left of the story that the server made for it.
    #expect(await run("sync", "--json").json?["received"]?["created"] == [])
    #expect(await run("list", "stories", "--json").json?["records"]?.array?.count == 1)
    let undo = await run("undo")
    #expect(undo.code == .done, "\(undo.errors)")
    #expect(try folder.read("mine/stories/snow.json").contains("The First Snow"))
    let both = await run("generate", "story", "--regenerate", "snow", "--hero", "luna")
    #expect(both.code == .wrongUsage)
  }

  @Test func `a text is not given up for a placeholder`() async throws {
    try folder.write(
      SampleLibrary.snow.replacing("  \"event\": \"lost-tooth\",\n", with: ""),
      to: "mine/stories/snow.json")
    let made = await run("generate", "story", "--regenerate", "snow")
    #expect(made.code == .failed && made.errors.contains("stays as it is"), "\(made.errors)")
    #expect(made.errors.contains("stories engine set text"))
    #expect(try folder.read("mine/stories/snow.json").contains("The First Snow"))
    #expect(await run("list", "stories", "--json").json?["records"]?.array?.count == 1)
  }

  @Test func `placeholders say so and how to set an engine`() async throws {
    let made = await run("generate", "story", "--hero", "luna", "--illustrations")
    #expect(made.code == .done, "\(made.errors)")
    #expect(made.errors.contains("This story is a placeholder: no engine writes stories."))
    #expect(made.errors.contains("stories engine set text --url URL --model NAME"))
    let ref = "stories/a-quiet-evening-for-luna"
    #expect(await run("show", ref).errors.contains("This story is a placeholder"))
    #expect(await run("show", ref, "--json").json?["placeholder"] == true)
    let picture = await run("show", "illustrations/a-quiet-evening-for-luna/01")
    #expect(picture.errors.contains("This picture is a placeholder"), "\(picture.errors)")
    let avatar = await run("generate", "avatar", "luna")
    #expect(avatar.errors.contains("The picture is a placeholder: no engine draws pictures."))
    #expect(await run("show", "luna").errors.contains("stories engine set pictures"))
    let audio = await run("generate", "audio", ref)
    #expect(audio.code == .failed)
    #expect(audio.errors.contains("no engine reads aloud"), "\(audio.errors)")
    #expect(audio.errors.contains("install espeak-ng, or set an engine"))
    // A text of one's own is no placeholder.
    let path = "mine/\(ref).json"
    try folder.write(
      try folder.read(path).replacing("It was evening", with: "It was night"), to: path)
    #expect(await run("sync").code == .done)
    #expect(await run("show", ref, "--json").json?["placeholder"] == false)
  }

  // MARK: Settings

  @Test func `a key goes to its engine alone and is shown nowhere`() async throws {
    let engine = try ScriptedEngine(needsKey: true)
    var typing = setting
    typing.typed = [ScriptedEngine.key + "\r"]
    let set = await typing.run(
      "engine", "set", "text", "--url", engine.url, "--model", "good", "--key-stdin")
    #expect(set.code == .done, "\(set.errors)")
    #expect(await run("generate", "story", "--hero", "luna").code == .done)
    let shown = await run("engine")
    #expect(shown.output.contains("with a key"))
    let settings = try folder.read("config/engines.json")
    #expect(!(set.output + shown.output + settings).contains(ScriptedEngine.key))
    for name in ["engines.json", "engine-keys.json"] {
      let status = try FileSystem.status(folder.path("config/\(name)"))
      #expect(status.map { $0.mode & 0o777 } == 0o600, "\(name)")
    }
    #expect(!FileSystem.exists(folder.path("config/sessions.json")))
    // Another engine at that address uses it as well, and it goes with the last of them.
    _ = await run("engine", "set", "pictures", "--url", engine.url, "--model", "good")
    #expect(await run("generate", "avatar", "luna").code == .done)
    #expect(await run("engine", "unset", "text").code == .done)
    #expect(await run("generate", "avatar", "luna", "--regenerate").code == .done)
    #expect(await run("engine", "unset", "pictures").code == .done)
    #expect(try !folder.read("config/engine-keys.json").contains(ScriptedEngine.key))
  }

  @Test func `a key that is not there is asked for as a key`() async throws {
    let set = await run(
      "engine", "set", "text", "--url", "http://127.0.0.1:1/v1", "--key-stdin")
    #expect(set.code == .wrongUsage && set.errors.contains("there is no key on standard input"))
    #expect(!set.errors.contains("password") && set.errors.contains("--key-stdin <"))
    #expect(!FileSystem.exists(folder.path("config/engines.json")))
  }

  @Test func `doctor lists the engines and where each setting comes from`() async throws {
    _ = await run("engine", "set", "text", "--url", "http://127.0.0.1:1/v1", "--model", "m")
    var scripted = setting
    scripted.environment["STORIES_SPEECH_PROGRAM"] = "piper"
    scripted.environment["STORIES_SPEECH_VOICE"] = "/voices/de.onnx"
    let doctor = await scripted.run("doctor", "--json")
    let rows = doctor.json?["settings"]?.array?.filter {
      $0["name"]?.string?.hasSuffix(" engine") == true
    }
    #expect(
      rows == [
        [
          "name": "text engine", "value": "http://127.0.0.1:1/v1, model m",
          "origin": "engines.json",
        ],
        [
          "name": "picture engine", "value": "none: pictures are placeholders",
          "origin": "default",
        ],
        [
          "name": "speech engine", "value": "piper, voice /voices/de.onnx",
          "origin": "STORIES_SPEECH_PROGRAM",
        ],
      ])
  }

  @Test func `a wrong key is said, and not shown`() async throws {
    let engine = try ScriptedEngine(needsKey: true)
    var typing = setting
    typing.typed = ["sk-wrong-0123456789abcdef"]
    _ = await typing.run(
      "engine", "set", "text", "--url", engine.url, "--model", "good", "--key-stdin")
    let made = await run("generate", "story", "--hero", "luna", "-vv")
    #expect(made.code == .failed)
    #expect(made.errors.contains("the engine does not accept the key"), "\(made.errors)")
    #expect(made.errors.contains("--key-stdin"))
    #expect(!made.errors.contains("sk-wrong"))
  }

  @Test func `the environment names engines for scripts, and wins`() async throws {
    let engine = try ScriptedEngine(needsKey: true)
    _ = await run("engine", "set", "text", "--url", "http://127.0.0.1:1/v1", "--model", "other")
    var scripted = setting
    scripted.environment["STORIES_TEXT_URL"] = engine.url
    scripted.environment["STORIES_TEXT_MODEL"] = "good"
    scripted.environment["STORIES_TEXT_KEY"] = ScriptedEngine.key
    #expect(await scripted.run("generate", "story", "--hero", "luna").code == .done)
    #expect(await scripted.run("engine").output.contains("STORIES_TEXT_URL"))
    // A key without an address of its own goes nowhere.
    scripted.environment["STORIES_TEXT_URL"] = nil
    let list = await scripted.run("engine", "--json")
    #expect(list.json?["engines"]?.array?.first?["hasKey"] == false)
  }

  @Test(arguments: [["engine"], ["engine", "--json"], ["doctor"], ["doctor", "--json"]])
  func `a password in an engine's address is not shown`(_ words: [String]) async throws {
    var scripted = setting
    scripted.environment["STORIES_TEXT_URL"] = "https://luna:hunter2@engine.example/v1?key=hunter3"
    let run = await scripted.run(words)
    #expect(run.output.contains("https://engine.example/v1"))
    #expect(!(run.output + run.errors).contains("hunter"), "\(run.output)\(run.errors)")
  }

  @Test func `a library names no engine`() async throws {
    try folder.write(
      #"{"version":1,"server":"embedded","engines":{"text":{"url":"http://127.0.0.1:1/v1"}}}"#,
      to: "mine/library.json")
    try folder.write(
      #"{"version":1,"text":{"url":"http://127.0.0.1:1/v1","model":"x"}}"#,
      to: "mine/engines.json")
    #expect(await run("engine").output.contains("none: stories are placeholders"))
  }

  @Test func `plain http goes to this machine, or where it was allowed`() async throws {
    let url = "http://engine.example:8080/v1"
    let refused = await run("engine", "set", "text", "--url", url, "--model", "m")
    #expect(refused.code == .stopped && refused.errors.contains("--allow-plain-http"))
    #expect(!FileSystem.exists(folder.path("config/engines.json")))
    let allowed = await run(
      "engine", "set", "text", "--url", url, "--model", "m", "--allow-plain-http")
    #expect(allowed.code == .done, "\(allowed.errors)")
    #expect(await run("engine").output.contains(url))
    // Whoever writes the address into the file has allowed nothing.
    try FileSystem.remove(folder.path("config/plain-http.json"))
    let made = await run("generate", "story", "--hero", "luna")
    #expect(made.code == .stopped, "\(made.errors)")
  }

  @Test(arguments: [
    (["text"], "--url"), (["text", "--program", "piper"], "speech"),
    (["pictures", "--url", "http://127.0.0.1:1", "--voice", "x"], "speech"),
    (["speech", "--url", "http://127.0.0.1:1", "--program", "piper"], "--program"),
    (["speech", "--program", "festival"], "piper"), (["music"], "speech"),
    (["text", "--url", "nonsense"], "nonsense"),
    (["text", "--url", "localhost:11434/v1"], "“localhost:11434/v1” is not a server address"),
    (["text", "--url", "localhost:11434/v1"], "Hint: write it like http://127.0.0.1:11434/v1"),
    (["text", "--url", "https://a.example/v1?b"], "Hint: write it like http://127.0.0.1:11434/v1"),
    (["speech", "--program", "piper", "--speed", "9"], "4"),
  ])
  func `what makes no sense is refused`(_ words: [String], _ part: String) async {
    let run = await setting.run(["engine", "set"] + words)
    #expect(run.code == .wrongUsage && run.errors.contains(part), "\(run.errors)")
  }

  @Test func `a password in an address is refused, with how to give a key`() async {
    let run = await run("engine", "set", "text", "--url", "http://user:pw@engine.example/v1")
    #expect(run.code == .stopped && run.errors.contains("--key-stdin"), "\(run.errors)")
    #expect(!run.errors.contains("pw") && !run.errors.contains("sign"))
  }

  @Test func `a settings file that others can change, or that makes no sense, ends the command`()
    async throws
  {
    _ = await run("engine", "set", "text", "--url", "http://127.0.0.1:1/v1", "--model", "m")
    let path = folder.path("config/engines.json")
    try folder.write("{\"version\":1,\"text\":{}}", to: "config/engines.json")
    let wrong = await run("engine")
    #expect(
      wrong.code == .wrongUsage && wrong.errors.contains("engines.json:1:"), "\(wrong.errors)")
    try AtomicFile.write(Array("{\"version\":1}".utf8), to: path, mode: 0o622)
    #expect(await run("engine").code == .stopped)
  }

  @Test func `a test makes one of each and shows it`() async throws {
    let engine = try ScriptedEngine()
    await use(engine)
    let test = await run("engine", "test", "--out", folder.path("out"))
    #expect(test.code == .done, "\(test.errors)")
    for part in ["The Night Train of Luna", "4 scenes", "avatar.png", "narration.mp3", "992 ms"] {
      #expect(test.output.contains(part), "\(part): \(test.output)")
    }
    _ = await run("engine", "set", "pictures", "--url", engine.url, "--model", "quota")
    let failing = await run("engine", "test", "--out", folder.path("out"), "--json")
    #expect(failing.code == .failed)
    let rows = failing.json?["engines"]?.array ?? []
    #expect(rows.map { $0["error"]?["code"]?.string } == [nil, "engineQuota", nil])
  }

  @Test func `a prompt can be changed`() async throws {
    let engine = try ScriptedEngine()
    await use(engine)
    let text = await run("engine", "prompts", "story")
    #expect(text.output.contains("{{language}}"))
    try folder.write(
      "Write one story in {{language}}.\nThe hero: {{name}}\nMood: {{tone}}\nBe brief.\n",
      to: "config/prompts/story.txt")
    #expect(await run("generate", "story", "--hero", "luna").code == .done)
    #expect(engine.storyPrompts == ["Write one story in English.\nThe hero: Luna\nBe brief.\n"])
    #expect(await run("engine", "prompts").output.contains("yours, from"))
    try folder.write("Hello\n{{nmae}}\n", to: "config/prompts/story.txt")
    let wrong = await run("generate", "story", "--hero", "luna")
    #expect(wrong.code == .failed && wrong.errors.contains("story.txt:2"), "\(wrong.errors)")
  }
}
