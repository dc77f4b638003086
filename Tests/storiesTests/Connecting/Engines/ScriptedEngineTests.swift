import Foundation
import TestSupport
import Testing

/// Shows that the scripted engine is what OpenAI's API reference says, by the official client.
@Suite(.inTurn) struct ScriptedEngineTests {
  /// A Python that has the package `openai`; `.ci/run` makes one.
  private static let python = ProcessInfo.processInfo.environment["STORIES_OPENAI_PYTHON"]
  /// In CI nothing is skipped: without the package the test fails.
  private static let isExpected =
    python != nil || ProcessInfo.processInfo.environment["CI"] != nil

  @Test(
    .enabled(
      if: isExpected,
      "STORIES_OPENAI_PYTHON names no Python with the package openai (pip install openai)"))
  func `the official client understands all that it answers`() async throws {
    let engine = try ScriptedEngine(needsKey: true)
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
    let running = try RunningProgram(
      ProgramStart(
        words: [
          Self.python ?? "python3", root + "/.ci/openai-client.py", engine.url,
          ScriptedEngine.key,
        ], folder: root))
    let result = running.wait()
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.output.hasSuffix("all understood\n"))
  }
}
