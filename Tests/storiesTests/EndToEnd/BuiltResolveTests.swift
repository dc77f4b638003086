import Foundation
import JSONText
import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// Conflicts, runs and health with the real program, on a terminal and without one.
@Suite struct BuiltResolveTests {
  /// A library whose hero has its age in conflict, as a sync leaves it.
  private func conflicting() throws -> (folder: TemporaryFolder, program: BuiltProgram) {
    let folder = try TemporaryFolder()
    let program = try BuiltProgram(in: folder)
    #expect(try program.run("init", ".").code == 0)
    try folder.write(SampleLibrary.luna, to: "heroes/luna.json")
    #expect(try program.run("sync", "push").code == 0)
    try folder.edit("heroes/luna.json", "7", to: "8")
    let ref = RecordRef(kind: .heroes, name: "luna")
    let path = folder.path(ref.sidecarPath)
    var sidecar = try Sidecar(bytes: FileSystem.read(path), ref: ref)
    let age = ref.kind.schema.fields[1]
    sidecar.base[age] = 9
    sidecar.conflict = .fields(
      updatedAt: sidecar.updatedAt, [.init(wireKey: "age", base: 7, server: 9)])
    try AtomicFile.write(sidecar.fileBytes, to: path)
    return (folder, program)
  }

  @Test func onATerminalAKeyDecides() throws {
    let (folder, program) = try conflicting()
    let terminal = try PseudoTerminal()
    let running = try program.start(["resolve"], at: terminal)
    waitUntil { terminal.isMute }
    terminal.type(Array("s".utf8))
    #expect(running.wait().code == 0)
    let shown = terminal.shown()
    #expect(shown.contains("local  "))
    #expect(shown.contains("[l]ocal  [s]erver  [e]dit  [n]ot now  [q]uit  [?] › server"))
    #expect(shown.contains("Resolved heroes/luna (age)"))
    #expect(try folder.read("heroes/luna.json").contains("9"))
    #expect(!terminal.isMute)
  }

  /// A sync that ends with conflicts asks about them, where somebody sits there.
  @Test func aSyncOnATerminalAsksAtItsEnd() throws {
    let (folder, program) = try conflicting()
    let terminal = try PseudoTerminal()
    let running = try program.start(["sync", "push"], at: terminal)
    waitUntil { terminal.isMute }
    terminal.type(Array("l".utf8))
    let code = running.wait().code
    let shown = terminal.shown()
    #expect(code == 0, "\(shown)")
    #expect(shown.contains("Conflicts to resolve"))
    #expect(shown.contains("Resolved heroes/luna (age)"))
    #expect(try folder.read("heroes/luna.json").contains("8"))
  }

  @Test func withoutATerminalTheCommandLineDecides() throws {
    let (folder, program) = try conflicting()
    let asked = try program.run("resolve", "luna")
    #expect(asked.code == 2)
    #expect(asked.errors.hasPrefix("Error: no terminal to ask on\n"))
    #expect(try program.run("conflicts").output.contains("    local   8\n"))
    let merge = try program.run("resolve", "luna", "--merge")
    #expect(merge.code == 3)
    #expect(try program.run("resolve", "luna", "--local").code == 0)
    #expect(try folder.read("heroes/luna.json").contains("8"))
  }

  @Test func runsCanBeSeenAndUndone() throws {
    let folder = try TemporaryFolder()
    let program = try BuiltProgram(in: folder)
    #expect(try program.run("init", ".").code == 0)
    try folder.write(SampleLibrary.luna, to: "heroes/luna.json")
    #expect(try program.run("sync", "push").code == 0)
    #expect(try program.run("rm", "luna").code == 0)
    #expect(try program.run("log").output.split(separator: "\n").count == 2)
    #expect(try program.run("undo").code == 0)
    #expect(try folder.read("heroes/luna.json") == SampleLibrary.luna)
    #expect(try program.run("status", "--exit-code").code == 0)
    var editing = program
    editing.environment["EDITOR"] = "sed -i s/7/8/"
    #expect(try editing.run("edit", "luna").code == 0)
    #expect(try program.run("why", "luna").output.contains("    local   8\n"))
    #expect(try program.run("doctor").code == 0)
    #expect(try program.run("mv", "luna", "moon").code == 0)
    #expect(try program.run("remote").output.hasPrefix("server       embedded"))
  }
}
