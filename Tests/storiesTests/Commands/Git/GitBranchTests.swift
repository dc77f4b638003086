import JSONText
import StoryLibrary
import StoryServer
import TestSupport
import Testing

@testable import stories

/// Deletes, renames and rewritten branches: what git makes of them, what a person then decides, and
/// that the next sync loses no edit and makes nothing twice.
@Suite(.inTurn, .enabled(if: GitTree.isThere, "needs git"))
struct GitBranchTests {
  private let folder: TemporaryFolder
  private let otto = "heroes/family/otto"

  init() throws { folder = try TemporaryFolder() }

  /// Nothing is pending, and the next sync neither sends nor changes anything.
  private func expectRest(_ library: VersionedLibrary, _ name: String) async throws {
    #expect(await library.setting.run("status", "--exit-code").code == .done, "\(name)")
    try library.tree.git("add", "-A")
    try library.tree.git("commit", "-q", "--allow-empty", "-m", "Rest " + name)
    library.server.server.clearRequestLog()
    #expect(await library.setting.run("sync").code == .done, "\(name)")
    #expect(library.server.takeMethods().allSatisfy { $0 == "GET" }, "\(name)")
    #expect(try library.tree.git("status", "--porcelain") == "", "\(name)")
  }

  /// How somebody deletes a record.
  enum Delete: String, CaseIterable {
    case file, command, synced

    func perform(_ library: VersionedLibrary, _ name: String) async throws {
      switch self {
      case .file: try library.folder.remove("a/\(name).json")
      case .command: try #require(await library.setting.run("rm", name).code == .done)
      case .synced:
        try #require(await library.setting.run("rm", name).code == .done)
        try #require(await library.setting.run("sync").code == .done)
      }
    }
  }

  struct DeleteAndEdit: CustomTestStringConvertible {
    var delete: Delete
    var isEditSynced: Bool
    var isKept: Bool
    var hasDrivers: Bool

    var testDescription: String {
      "\(delete) \(isEditSynced ? "synced edit" : "edit") \(isKept ? "kept" : "dropped")"
        + (hasDrivers ? "" : " without drivers")
    }

    static let all = Delete.allCases.flatMap { delete in
      [true, false].flatMap { isEditSynced in
        [true, false].map { isKept in
          DeleteAndEdit(
            delete: delete, isEditSynced: isEditSynced, isKept: isKept,
            hasDrivers: isEditSynced == isKept)
        }
      }
    }
  }

  @Test(arguments: DeleteAndEdit.all)
  func aDeleteOnOneBranchAndAnEditOnTheOther(_ one: DeleteAndEdit) async throws {
    let library = try await VersionedLibrary(in: folder, hasDrivers: one.hasDrivers)
    try await library.onBranch { try await one.delete.perform(library, otto) }
    try folder.edit("a/\(otto).json", "4", to: "5")
    if one.isEditSynced {
      let code = await library.setting.run("sync").code
      #expect(code == (one.delete == .synced ? .conflictsLeft : .done))
    }
    try library.tree.commit("Main")
    // Git asks whether the record stays.
    #expect(try library.tree.status("merge", "-q", "other") == 1)
    #expect(try folder.read("a/\(otto).json").contains("\"age\": 5"))
    if one.isKept {
      try library.tree.commit("Kept")
    } else {
      try library.tree.git("rm", "-q", "\(otto).json")
      try library.tree.commit("Dropped")
    }
    let result = await library.setting.run("sync")
    guard one.isKept else {
      #expect(result.code == .done, "\(result.output)\(result.errors)")
      #expect(try library.server.names(.heroes) == ["Luna"])
      return try await expectRest(library, "dropped")
    }
    #expect(try folder.read("a/\(otto).json").contains("\"age\": 5"))
    if result.code == .conflictsLeft {
      // It was deleted on the server as well, which nobody but a person can weigh.
      #expect(result.output.contains(otto))
      #expect(await library.setting.run("resolve", otto, "--local").code == .done)
      #expect(await library.setting.run("sync").code == .done)
    } else {
      #expect(result.code == .done, "\(result.output)\(result.errors)")
    }
    #expect(try library.server.names(.heroes) == ["Luna", "Otto"])
    #expect(try library.server.record(.heroes, "Otto")?["age"] == 5)
    try await expectRest(library, "kept")
  }

  @Test(arguments: [
    (Delete.file, Delete.command, true), (.command, .command, false), (.file, .file, false),
    (.command, .synced, true), (.synced, .file, false),
  ])
  func aDeleteOnBothBranchesIsOne(theirs: Delete, ours: Delete, hasDrivers: Bool) async throws {
    let library = try await VersionedLibrary(in: folder, hasDrivers: hasDrivers)
    try await library.onBranch { try await theirs.perform(library, otto) }
    try await ours.perform(library, otto)
    try library.tree.commit("Main")
    // Where one side keeps the sidecar with the wish to delete, git asks about that alone.
    if try library.tree.status("merge", "-q", "other") != 0 { try library.tree.commit("Merged") }
    library.server.server.clearRequestLog()
    let result = await library.setting.run("sync")
    #expect(result.code == .done, "\(result.output)\(result.errors)")
    #expect(library.server.takeMethods().count { $0 == "DELETE" || $0 == "POST" } <= 1)
    #expect(try library.server.names(.heroes) == ["Luna"])
    #expect(!folder.exists("a/\(otto).json") && !folder.exists("a/heroes/family/.sync/otto.json"))
    try await expectRest(library, "\(theirs) \(ours)")
  }

  @Test(arguments: [true, false])
  func renamedDifferentlyOnBothBranches(hasDrivers: Bool) async throws {
    let library = try await VersionedLibrary(in: folder, hasDrivers: hasDrivers)
    try await library.onBranch {
      try #require(await library.setting.run("mv", "heroes/luna", "heroes/moon").code == .done)
    }
    try #require(await library.setting.run("mv", "heroes/luna", "heroes/star").code == .done)
    try library.tree.commit("Main")
    #expect(try library.tree.status("merge", "-q", "other") == 1)
    // Both names are there, and the story names both of them.
    #expect(folder.exists("a/heroes/moon.json") && folder.exists("a/heroes/star.json"))
    let story = try folder.read("a/stories/first-snow.json")
    #expect(story.contains("\"hero\": \"moon\"") && story.contains("\"hero\": \"star\""))
    library.server.server.clearRequestLog()
    let sync = await library.setting.run("sync")
    #expect(sync.code == .failed)
    #expect(library.server.takeMethods().allSatisfy { $0 == "GET" })
    #expect(sync.errors.contains("heroes/moon.json: has the same server id as"))
    #expect(
      sync.errors.contains(
        "keep one of them: remove heroes/moon.json and heroes/.sync/moon.json; or, if it is a"))
    try library.tree.git("checkout", "-q", "--ours", "stories")
    for path in ["heroes/moon.json", "heroes/.sync/moon.json"] { try folder.remove("a/" + path) }
    try library.tree.commit("Star")
    #expect(await library.setting.run("sync").code == .done)
    #expect(try library.server.names(.heroes) == ["Luna", "Otto"])
    try await expectRest(library, "star")
  }

  @Test(arguments: [true, false])
  func renamedByHandOnOneAndEditedOnTheOther(hasDrivers: Bool) async throws {
    let library = try await VersionedLibrary(in: folder, hasDrivers: hasDrivers)
    try await library.onBranch {
      // Only the record moves; its sidecar follows at the next sync.
      try folder.move("a/\(otto).json", to: "a/heroes/big-otto.json")
    }
    try folder.edit("a/\(otto).json", "4", to: "5")
    try library.tree.commit("Main")
    try library.tree.git("merge", "-q", "other")
    let status = await library.setting.run("status", "--porcelain=v1")
    #expect(status.output.hasPrefix("R"), "\(status.output)")
    #expect(await library.setting.run("sync").code == .done)
    #expect(try library.server.names(.heroes) == ["Luna", "Otto"])
    #expect(try library.server.record(.heroes, "Otto")?["age"] == 5)
    #expect(folder.exists("a/heroes/.sync/big-otto.json"))
    try await expectRest(library, "renamed")
  }

  @Test func rebaseMergesFieldsAndMarksWhatClashes() async throws {
    let library = try await VersionedLibrary(in: folder)
    try await library.onBranch {
      // Next to what main changes, where lines would clash; and the same member, which does.
      try folder.edit("a/heroes/luna.json", "\"Luna\"", to: "\"Lena\"")
      try folder.edit("a/\(otto).json", "4", to: "6")
      try library.tree.commit("First")
      try folder.edit("a/stories/first-snow.json", "for socks", to: "for shoes")
    }
    try folder.edit("a/heroes/luna.json", "7", to: "8")
    try folder.edit("a/\(otto).json", "4", to: "5")
    try #require(await library.setting.run("sync").code == .done)
    try library.tree.commit("Main")
    try library.tree.git("checkout", "-q", "other")
    #expect(try library.tree.status("rebase", "main") == 1)
    let luna = try folder.read("a/heroes/luna.json")
    #expect(luna.contains("\"Lena\",\n  \"age\": 8,"))
    let clash = try folder.read("a/\(otto).json")
    #expect(clash.contains("\n  \"age\": 5,\n=======\n  \"age\": 6,\n>>>>>>> "))
    try folder.write(SampleLibrary.otto.replacing("4", with: "6"), to: "a/\(otto).json")
    try library.tree.git("add", "-A")
    try library.tree.git("-c", "core.editor=true", "rebase", "--continue")
    #expect(
      await library.setting.run("status", "--porcelain=v1").output
        == "M. heroes/family/otto\tage\nM. heroes/luna\tname\nM. stories/first-snow\tcontent\n")
    #expect(await library.setting.run("sync").code == .done)
    #expect(try library.server.record(.heroes, "Lena")?["age"] == 8)
    #expect(try library.server.record(.heroes, "Otto")?["age"] == 6)
    try await expectRest(library, "rebased")
  }

  @Test(arguments: [true, false])
  func cherryPickTakesTheEditAndNoOlderSidecar(hasDrivers: Bool) async throws {
    let library = try await VersionedLibrary(in: folder, hasDrivers: hasDrivers)
    try await library.onBranch {
      try folder.edit("a/stories/first-snow.json", "woke up", to: "sat up")
    }
    try folder.edit("a/stories/first-snow.json", "for socks", to: "for shoes")
    try #require(await library.setting.run("sync").code == .done)
    try library.tree.commit("Main")
    try library.tree.git("cherry-pick", "other")
    #expect(
      await library.setting.run("status", "--porcelain=v1").output
        == "M. stories/first-snow\tcontent\n")
    #expect(await library.setting.run("sync").code == .done)
    let text = try library.server.record(.stories, "The First Snow")?["content"]?.string ?? ""
    #expect(text.contains("sat up") && text.contains("for shoes"))
    try await expectRest(library, "picked")
  }

  @Test func aPickOfASyncedEditNeedsNoSecondSync() async throws {
    let library = try await VersionedLibrary(in: folder)
    try await library.onBranch {
      try folder.edit("a/heroes/luna.json", "7", to: "8")
      try #require(await library.setting.run("sync").code == .done)
    }
    // Main is older than the server now; the pick brings record and sidecar of the newer state.
    try library.tree.git("cherry-pick", "other")
    try await expectRest(library, "picked")
    #expect(try library.server.record(.heroes, "Luna")?["age"] == 8)
  }

  /// The picked sidecar is newer than the text: that lacks the synced edit before it.
  @Test(arguments: [
    ["cherry-pick", "other"], ["rebase", "-q", "--onto", "main", "other~", "other"],
  ])
  func whatIsTakenWithoutTheSyncedEditBeforeItTakesNothingBack(_ words: [String]) async throws {
    let library = try await VersionedLibrary(in: folder)
    try await library.onBranch {
      try folder.edit("a/heroes/luna.json", "7", to: "8")
      try #require(await library.setting.run("sync").code == .done)
      try library.tree.commit("First")
      try folder.edit("a/heroes/luna.json", "\"Luna\"", to: "\"Lena\"")
      try #require(await library.setting.run("sync").code == .done)
    }
    try #require(library.tree.run(words).status == 0)
    #expect(
      await library.setting.run("status", "--porcelain=v1").output == "M. heroes/luna\tname\n")
    #expect(await library.setting.run("sync").code == .done)
    #expect(try library.server.record(.heroes, "Lena")?["age"] == 8)
    #expect(try folder.read("a/heroes/luna.json").contains("\"Lena\",\n  \"age\": 8,"))
    try await expectRest(library, "picked")
  }
}
