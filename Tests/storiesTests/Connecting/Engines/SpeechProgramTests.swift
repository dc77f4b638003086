import Foundation
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

/// Narration by programs. Only what needs espeak-ng itself is left out without it.
@Suite(.inTurn) struct SpeechProgramTests {
  private static let environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
  /// Whether espeak-ng is to be tried: if it is installed, and always in CI, so that nothing is skipped.
  static let isExpected =
    SpeechProgram(environment: environment).path != nil
    || ProcessInfo.processInfo.environment["CI"] != nil

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func speak(
    _ program: SpeechProgram, _ paragraphs: [String], _ language: String = "en",
    voice: String? = nil
  ) async throws(EngineError) -> Narration {
    try await program.speak(
      SpeechRequest(paragraphs: paragraphs, language: language, voice: voice))
  }

  @Test(
    .enabled(if: isExpected, "espeak-ng is not installed: apt-get install espeak-ng"),
    arguments: StoryRequest.languages)
  func `espeak-ng reads each language in its voice`(_ language: String) async throws {
    let program = SpeechProgram(environment: Self.environment)
    // The same text takes each language its own time.
    let text = ["The Night Train", "Luna, piano, station, radio, animal, hotel, taxi, banana."]
    let narration = try await speak(program, text, language)
    #expect(narration.voice == "espeak-ng \(language)")
    let file = try #require(AudioFile(narration.bytes))
    #expect(file.isWAV && (2...20).contains(file.seconds))
    // 16 bits at 22,050 Hz: the header, the bytes and the duration agree.
    #expect(abs(Double(file.sound.count) / 44_100 - file.seconds) < 0.001)
    let stranger = language == "en" ? "de" : "en"
    #expect(try await speak(program, text, stranger).bytes != narration.bytes)
    var quick = program
    quick.voices.speed = 2
    let shorter = try #require(AudioFile(try await speak(quick, text, language).bytes))
    #expect(shorter.seconds < file.seconds * 0.8)
  }

  @Test(.enabled(if: isExpected, "espeak-ng is not installed: apt-get install espeak-ng"))
  func `a voice that nobody has is said`() async throws {
    let program = SpeechProgram(environment: Self.environment)
    await #expect(
      throws: EngineError.program("espeak-ng cannot read this with the voice “nobody”")
    ) { try await speak(program, ["x"], voice: "nobody") }
  }

  @Test func `a program that is not installed is said`() async throws {
    let program = SpeechProgram(name: .piper, environment: ["PATH": folder.path])
    await #expect(throws: EngineError.program("piper is not installed")) {
      try await speak(program, ["x"])
    }
  }

  /// A program of that name that is a shell script.
  private func script(_ name: SpeechProgram.Name, _ text: String) throws -> SpeechProgram {
    let path = folder.path(name.rawValue)
    try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return SpeechProgram(
      name: name, environment: ["PATH": folder.path + ":/usr/bin:/bin", "OUT": folder.path("out")])
  }

  @Test func `piper gets one line, and the voice of the language`() async throws {
    let wav = folder.path("silence.wav")
    try Data(SampleSound.wav()).write(to: URL(fileURLWithPath: wav))
    var program = try script(
      .piper, "echo \"$@\" > \"$OUT\"; cat >> \"$OUT\"; cp \(wav) \"$4\"")
    program.voices = Voices(names: ["de": "/voices/de.onnx"], speed: 2)
    let narration = try await speak(program, ["Titel", "Ein Satz."], "de")
    #expect(narration.voice == "piper de.onnx" && narration.bytes == SampleSound.wav())
    let said = try String(contentsOfFile: folder.path("out"), encoding: .utf8)
    #expect(said.hasPrefix("--model /voices/de.onnx --output_file /"))
    #expect(said.hasSuffix("--length_scale 0.5\nTitel Ein Satz."))
    await #expect(throws: EngineError.program("piper needs a voice’s file for “fr”")) {
      try await speak(program, ["x"], "fr")
    }
  }

  @Test func `a program that is cancelled is ended`() async throws {
    let program = try script(.espeak, "echo $$ > \"$OUT\"; sleep 600")
    let task = Task { try? await speak(program, ["x"]) }
    let out = folder.path("out")
    var number: pid_t?
    try await eventually {
      number = (try? String(contentsOfFile: out, encoding: .utf8))
        .flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
      return number != nil
    }
    task.cancel()
    #expect(await task.value == nil)
    #expect(kill(number ?? 0, 0) != 0)
  }
}
