import JSONText
import StoryLibrary
import StorySync
import TestSupport
import Testing

@testable import stories

/// Two libraries and a server, with conflicts waiting in Ben's: the title and a line of a story that
/// both changed, and an event that he edited while Ann deleted it.
struct ConflictedLibraries: Sendable {
  let folder: TemporaryFolder
  let server: TestServer
  let ann: CommandSetting
  var ben: CommandSetting

  static let story = "stories/2026/first-snow"

  init() async throws {
    folder = try TemporaryFolder()
    server = try TestServer()
    ann = try server.library(in: folder, "ann")
    ben = try server.library(in: folder, "ben")
    try folder.write(SampleLibrary.luna, to: "ann/heroes/luna.json")
    try folder.write(SampleLibrary.tooth, to: "ann/events/lost-tooth.json")
    try folder.write(SampleLibrary.tooth, to: "ann/events/power-cut.json")
    try folder.edit("ann/events/power-cut.json", "A Lost Tooth", to: "A Power Cut")
    try folder.write(SampleLibrary.snow, to: "ann/\(Self.story).json")
    try await expect(ann.run("sync", "push"), .done)
    try await expect(ben.run("sync", "pull"), .done)
    // Pulled records are named after their titles.
    try folder.move("ben/stories/the-first-snow.json", to: "ben/\(Self.story).json")
    try folder.move(
      "ben/stories/.sync/the-first-snow.json", to: "ben/stories/2026/.sync/first-snow.json")
    try folder.move("ben/events/a-power-cut.json", to: "ben/events/power-cut.json")
    try folder.move("ben/events/.sync/a-power-cut.json", to: "ben/events/.sync/power-cut.json")
    try edit("ann", title: "Their Snow", line: "the dog")
    try folder.edit("ann/\(Self.story).json", "for socks.", to: "for socks or shoes.")
    try folder.remove("ann/events/power-cut.json")
    try await expect(ann.run("sync", "push", "--max-delete", "1"), .done)
    try edit("ben", title: "My Snow", line: "a cat")
    try folder.edit("ben/events/power-cut.json", "falls out", to: "falls far")
    try await expect(ben.run("sync", "pull"), .conflictsLeft)
  }

  private func edit(_ name: String, title: String, line: String) throws {
    try folder.edit("\(name)/\(Self.story).json", "The First Snow", to: title)
    try folder.edit("\(name)/\(Self.story).json", "the cat", to: line)
  }

  struct UnexpectedEnd: Error { var run: CommandRun }

  private func expect(_ run: CommandRun, _ code: ExitCode) throws {
    guard run.code == code else { throw UnexpectedEnd(run: run) }
  }

  /// Ben's story as a value.
  func value() throws -> JSONValue {
    try JSONValue(parsing: Array(folder.read("ben/\(Self.story).json").utf8))
  }

  /// The same with a terminal without colours, on which these keys are pressed.
  func typing(_ keys: String..., width: Int = 80) -> CommandSetting {
    var setting = ben
    setting.isTerminal = true
    setting.width = width
    setting.typed = keys
    setting.environment["NO_COLOR"] = "1"
    return setting
  }

  /// A shell script in the folder; its path.
  func script(_ name: String, _ text: String) throws -> String {
    try folder.write("#!/bin/sh\n\(text)\n", to: name)
    return "sh \(folder.path(name))"
  }
}
