import Foundation
import JSONText
import StoryServer
import TestSupport
import Testing

@testable import stories

/// Several real programs at one library, and at one server.
@Suite(.inTurn) struct ConcurrentSyncTests {
  @Test func theSecondWaitsOrSaysWhoIsAtWork() async throws {
    let world = try ServedLibraries()
    let program = try world.program("lib")
    try world.writeHeroes(1...3, in: "lib")
    let gate = Gate()
    world.server.server.addFault(FaultRule(.before { _ in gate.pass() }, number: 1))
    let first = try program.start(["sync"])
    first.send("")
    #expect(gate.waitForArrival())
    let refused = try program.run("sync", "--no-wait", "--json")
    #expect(refused.code == 4)
    #expect(
      refused.errors.contains(
        "another command is changing this library: process \(first.identifier) on "))
    #expect(refused.output.contains("\"exitCode\": 4"))
    let waiting = try program.start(["sync", "--json"])
    waiting.send("")
    #expect(
      waiting.hasSaid(
        "Waiting for another command that uses this library: process \(first.identifier)"))
    gate.open()
    #expect(first.wait().code == 0)
    let second = waiting.wait()
    #expect(second.code == 0, "\(second.errors)")
    #expect(second.output.contains("\"created\": []"))
    #expect(try world.heroes() == ["Hero 1", "Hero 2", "Hero 3"])
  }

  @Test func theLockOfADeadProcessIsTaken() async throws {
    let world = try ServedLibraries()
    let program = try world.program("lib")
    try world.writeHeroes(1...3, in: "lib")
    let gate = Gate()
    world.server.server.addFault(
      FaultRule(.before { _ in gate.pass() }, method: "POST", number: 1))
    let first = try program.start(["sync"])
    first.send("")
    #expect(gate.waitForArrival())
    first.signal(SIGKILL)
    _ = first.wait()
    #expect(world.folder.exists("lib/.stories/lock"))
    gate.open()
    let next = try program.run("sync", "--no-wait")
    #expect(next.code == 0, "\(next.errors)")
    #expect(try world.heroes() == ["Hero 1", "Hero 2", "Hero 3"])
  }

  @Test(arguments: [false, true])
  func fourAtOnceDoTheWorkOfOne(isEmbedded: Bool) async throws {
    let world = try ServedLibraries()
    var program = try world.program("lib")
    if isEmbedded { program.environment["STORIES_SERVER"] = "embedded" }
    try world.writeHeroes(1...12, in: "lib")
    let all = try (0..<4).map { _ in try program.start(["sync", "--json"]) }
    for running in all { running.send("") }
    let results = all.map { $0.wait() }
    for result in results { #expect(result.code == 0, "\(result.errors)") }
    let created = try results.flatMap { result in
      try JSONValue(parsing: Array(result.output.utf8))["sent"]?["created"]?.array ?? []
    }
    #expect(created.count == 12)
    #expect(Set(created.compactMap(\.string)).count == 12)
    if !isEmbedded { #expect(try world.heroes().count == 12) }
  }

  @Test func twoLibrariesAtOneServerComeToTheSame() async throws {
    let world = try ServedLibraries()
    let (a, b) = (try world.program("a"), try world.program("b"))
    try world.writeHeroes(1...8, in: "a")
    #expect(try a.run("sync").code == 0)
    #expect(try b.run("sync").code == 0)
    // Different records, and different fields of one.
    try world.writeHeroes(9...12, in: "a")
    try world.folder.write(
      world.folder.read("a/heroes/hero-9.json").replacing("Hero 9", with: "Hero 13"),
      to: "b/heroes/hero-13.json")
    try world.folder.edit("a/heroes/hero-1.json", "7", to: "8")
    try world.folder.edit("b/heroes/hero-1.json", "brave", to: "loud")
    for _ in 0..<3 {
      let all = try [a, b].map { try $0.start(["sync"]) }
      for running in all { running.send("") }
      for result in all.map({ $0.wait() }) { #expect(result.code == 0, "\(result.errors)") }
    }
    #expect(try world.heroes().count == 13)
    for number in 1...13 {
      let path = "heroes/hero-\(number).json"
      #expect(try world.folder.read("a/\(path)") == world.folder.read("b/\(path)"))
    }
    #expect(try world.folder.read("a/heroes/hero-1.json").contains("8"))
    #expect(try world.folder.read("a/heroes/hero-1.json").contains("loud"))
  }
}
