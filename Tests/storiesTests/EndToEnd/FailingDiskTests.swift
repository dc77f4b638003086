import Foundation
import JSONText
import StoryServer
import TestSupport
import Testing

@testable import stories

/// Disks that are full, files that may not grow, folders that cannot be written: the real program says
/// so, nothing is half written, and the next sync goes on.
@Suite(.inTurn) struct FailingDiskTests {
  /// Whether this user may have a file system of its own to fill (mount_namespaces(7)).
  private static let canMount: Bool = {
    guard let folder = try? TemporaryFolder(), let program = try? BuiltProgram(in: folder) else {
      return false
    }
    let script = "unshare -rm sh -c 'mkdir m && mount -t tmpfs none m && mount --bind m m'"
    return (try? program.shell(script))?.code == 0
  }()

  /// How to become somebody whom permissions hold for; `nil` where that cannot be done.
  private static let ordinaryUser: String? = {
    guard geteuid() == 0 else { return "" }
    guard let folder = try? TemporaryFolder(), let program = try? BuiltProgram(in: folder) else {
      return nil
    }
    let user = "setpriv --reuid=65534 --regid=65534 --clear-groups"
    return (try? program.shell("\(user) \"$stories\" --version"))?.code == 0 ? user : nil
  }()

  /// A server with 60 long stories, and an empty library.
  private func world() throws -> (ServedLibraries, BuiltProgram) {
    let world = try ServedLibraries()
    let program = try world.program("lib")
    func post(_ path: String, _ body: JSONValue) throws -> String {
      let answer = try world.server.server.perform(
        "POST", "/api/\(path)", body: body, as: TestServer.email)
      return answer.value?["data"]?["id"]?.string ?? ""
    }
    let hero = try post("heroes", ["name": "Luna", "age": 7, "traits": ["brave"]])
    let line = String(repeating: "It snowed. ", count: 300)
    for number in 1...60 {
      _ = try post(
        "stories",
        [
          "title": .string("Story \(number)"), "heroId": .string(hero), "content": .string(line),
        ])
    }
    return (world, program)
  }

  private func code(_ world: ServedLibraries, _ name: String) throws -> String {
    try world.folder.read(name).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test(
    .enabled(if: canMount, "no mount namespaces for this user"), arguments: [150, 400, 550, 700])
  func aFullDisk(kilobytes: Int) async throws {
    let (world, program) = try world()
    let script = """
      cd .. && mkdir mnt out && unshare -rm sh -c '
        mount -t tmpfs -o size=\(kilobytes)k none mnt && cp -a lib/. mnt/ || exit 9
        cd mnt
        "$stories" sync pull >../out1 2>../err1; echo $? >../code1
        "$stories" check >../check 2>&1; echo $? >../code2
        mount -o remount,size=50m "$PWD" || exit 9
        "$stories" sync >../out3 2>../err3; echo $? >../code3
        "$stories" status --exit-code >../status; echo $? >../code4
        find . -name ".stories-tmp-*" >../left
        cp -a . ../out'
      """
    let result = try program.shell(script)
    try #require(result.code == 0, "\(result.errors)")
    #expect(try code(world, "code1") == "1")
    #expect(try world.folder.read("err1").contains("No space left on device"))
    // What did get its place is whole.
    let (check, errors) = (try world.folder.read("check"), try world.folder.read("err3"))
    #expect(try code(world, "code2") == "0", "\(check)")
    #expect(try code(world, "code3") == "0", "\(errors)")
    #expect(try code(world, "code4") == "0")
    #expect(try world.folder.read("left").isEmpty)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: world.folder.path("out/stories"))
    #expect(files.count { $0.hasSuffix(".json") } == 60)
    #expect(try world.server.server.records(.stories, of: TestServer.email).count == 60)
  }

  /// Without a free byte nothing is the server's fault.
  @Test(.enabled(if: canMount, "no mount namespaces for this user"))
  func aDiskWithoutAFreeByte() async throws {
    let (world, program) = try world()
    let script = """
      cd .. && mkdir mnt && unshare -rm sh -c '
        mount -t tmpfs -o size=500k none mnt && cp -a lib/. mnt/ || exit 9
        cd mnt
        dd if=/dev/zero of=fill bs=1k 2>/dev/null
        "$stories" sync pull >../out1 2>../err1; echo $? >../code1
        "$stories" sync --dry-run --json >../out2 2>../err2; echo $? >../code2
        mount -o remount,size=50m "$PWD" || exit 9
        "$stories" sync >../out3 2>../err3; echo $? >../code3'
      """
    let result = try program.shell(script)
    try #require(result.code == 0, "\(result.errors)")
    #expect(try code(world, "code1") == "1")
    #expect(
      try world.folder.read("err1") == """
        Error: cannot write .stories/spool
        Caused by: No space left on device
        Hint: free some space, then run the same command again; nothing was lost

        """)
    #expect(try code(world, "code2") == "1")
    #expect(try world.folder.read("out2").contains("No space left on device"))
    let errors = try world.folder.read("err3")
    #expect(try code(world, "code3") == "0", "\(errors)")
  }

  @Test(.enabled(if: canMount, "no mount namespaces for this user"))
  func anEditorIsOpenedWithoutAFreeByte() async throws {
    let world = try ServedLibraries()
    let program = try world.program("lib")
    try world.folder.write(SampleLibrary.luna, to: "lib/heroes/luna.json")
    let script = """
      cd .. && mkdir mnt && unshare -rm sh -c '
        mount -t tmpfs -o size=100k none mnt && cp -a lib/. mnt/ || exit 9
        cd mnt
        EDITOR=true "$stories" edit luna || exit 8
        dd if=/dev/zero of=fill bs=1 count=102400 2>/dev/null
        EDITOR=true exec "$stories" edit luna'
      """
    let result = try program.shell(script)
    #expect(result.code == 0, "\(result.errors)")
    let note = "Other commands may change heroes/luna while the editor is open: No space left on"
    #expect(result.errors.replacing("\n", with: " ").contains(note), "\(result.errors)")
  }

  @Test(.enabled(if: canMount, "no mount namespaces for this user"))
  func aReadOnlyTree() async throws {
    let (world, program) = try world()
    let script = """
      cd .. && unshare -rm sh -c '
        mount --bind lib lib && mount -o remount,bind,ro lib || exit 9
        cd lib && exec "$stories" sync'
      """
    let result = try program.shell(script)
    #expect(result.code == 1)
    #expect(result.errors.contains("Read-only file system"), "\(result.errors)")
    let next = try program.run("sync")
    #expect(next.code == 0, "\(next.errors)")
    #expect(try world.server.server.records(.stories, of: TestServer.email).count == 60)
  }

  @Test(arguments: [16, 64, 400])
  func filesThatMayNotGrow(blocks: Int) async throws {
    let (world, program) = try world()
    let first = try program.shell("ulimit -f \(blocks); \"$stories\" sync pull")
    #expect(first.code == 1)
    #expect(first.errors.contains("File too large"), "\(first.errors)")
    let next = try program.run("sync", "--json")
    #expect(next.code == 0, "\(next.errors)")
    #expect(try program.run("status", "--exit-code").code == 0)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: world.folder.path("lib/stories"))
    #expect(files.count { $0.hasSuffix(".json") } == 60)
  }

  /// What runs a command as the ordinary user, and what gives that user the files before.
  private static let becoming = (
    user: ordinaryUser ?? "",
    own: (ordinaryUser ?? "").isEmpty ? "" : "chown -R 65534:65534 \"$HOME\";"
  )

  /// A synced library with some heroes and an event.
  private func heroesWithATooth(_ count: Int) throws -> (ServedLibraries, BuiltProgram) {
    let world = try ServedLibraries()
    let program = try world.program("lib")
    try world.writeHeroes(1...count, in: "lib")
    try world.folder.write(SampleLibrary.tooth, to: "lib/events/tooth.json")
    #expect(try program.run("sync").code == 0)
    return (world, program)
  }

  @Test(.enabled(if: ordinaryUser != nil, "root may do everything, and cannot become another user"))
  func aFolderAndAFileThatMayNotBeTouched() async throws {
    let (world, program) = try heroesWithATooth(3)
    try world.folder.edit("lib/events/tooth.json", "A Lost Tooth", to: "My Tooth")
    for (name, id) in try Self.ids(world) where name == "Hero 2" {
      _ = try world.server.server.perform(
        "PATCH", "/api/heroes/\(id)", body: ["height": "tall"], as: TestServer.email)
    }
    let (user, own) = Self.becoming
    let bad = try program.shell(
      """
      \(own) chmod 0555 heroes; chmod 0 heroes/hero-3.json
      \(user) "$stories" sync; code=$?
      chmod 0755 heroes; chmod 0644 heroes/hero-3.json; exit $code
      """)
    #expect(bad.code == 1)
    #expect(bad.errors.contains("heroes/hero-3.json: cannot be read: Permission denied"))
    #expect(bad.errors.contains("heroes/hero-2"), "\(bad.errors)")
    #expect(bad.output.contains("updated  events/tooth"), "\(bad.output)")
    let next = try program.shell("\(user) \"$stories\" sync")
    #expect(next.code == 0, "\(next.errors)")
    #expect(try world.folder.read("lib/heroes/hero-2.json").contains("tall"))
    #expect(try program.shell("\(user) \"$stories\" status --exit-code").code == 0)
    #expect(try world.heroes().count == 3)
  }

  /// The record that could not be changed is named, and so are the others.
  @Test(.enabled(if: ordinaryUser != nil, "root may do everything, and cannot become another user"))
  func removingAndUndoingWhereAFolderMayNotBeWritten() async throws {
    let (world, program) = try heroesWithATooth(2)
    let (user, own) = Self.becoming
    func readOnly(_ command: String) throws -> BuiltProgram.Result {
      try program.shell(
        """
        \(own) chmod 0555 events
        \(user) "$stories" \(command); code=$?
        chmod 0755 events; exit $code
        """)
    }
    func run(_ command: String) throws -> BuiltProgram.Result {
      try program.shell("\(user) \"$stories\" \(command)")
    }
    func isThere(_ path: String) -> Bool { (try? world.folder.read("lib/" + path)) != nil }
    let removed = try readOnly("rm heroes/hero-1 events/tooth")
    #expect(removed.code == 1)
    #expect(removed.output == "Removed heroes/hero-1\n")
    #expect(removed.errors.contains("events/tooth.json"), "\(removed.errors)")
    #expect(removed.errors.contains("Caused by: Permission denied"), "\(removed.errors)")
    #expect(removed.errors.contains("deletes 1 hero on the server"), "\(removed.errors)")
    #expect(!isThere("heroes/hero-1.json") && isThere("events/tooth.json"))
    #expect(try run("rm events/tooth").code == 0)
    #expect(try run("undo").code == 0)
    #expect(try run("rm heroes/hero-2 events/tooth").code == 0)
    let undone = try readOnly("undo")
    #expect(undone.code == 1)
    #expect(undone.output.contains("restored  heroes/hero-2"), "\(undone.output)")
    #expect(undone.output.contains("its file cannot be changed: Permission denied"))
    #expect(isThere("heroes/hero-2.json") && !isThere("events/tooth.json"))
    // The note that says how to continue.
    let words = undone.errors.split(separator: "`")
    let next = try #require(words.first { $0.hasPrefix("stories undo ") })
    let continued = try run(String(next.dropFirst("stories ".count)))
    #expect(continued.code == 0, "\(continued.errors)")
    #expect(isThere("heroes/hero-2.json") && isThere("events/tooth.json"))
  }

  /// What cannot be seen is neither missing nor in sync.
  @Test(.enabled(if: ordinaryUser != nil, "root may do everything, and cannot become another user"))
  func aFolderThatMayNotBeRead() async throws {
    let world = try ServedLibraries()
    let program = try world.program("lib")
    try world.folder.write(SampleLibrary.luna, to: "lib/heroes/sub/luna.json")
    try world.folder.write(SampleLibrary.otto, to: "lib/heroes/otto.json")
    try world.folder.write(
      SampleLibrary.snow.replacing("\"luna\"", with: "\"sub/luna\"")
        .replacing("  \"event\": \"lost-tooth\",\n", with: ""), to: "lib/stories/snow.json")
    #expect(try program.run("sync").code == 0)
    let (user, own) = Self.becoming
    let folder = "heroes/sub: error: cannot be read: Permission denied\n"
    func stories(_ words: String) throws -> BuiltProgram.Result {
      try program.shell(
        "\(own) chmod 0 heroes/sub; \(user) \"$stories\" \(words); code=$?; chmod 0755 heroes/sub; exit $code"
      )
    }
    let status = try stories("status --exit-code")
    #expect(status.code == 10)
    #expect(status.output == folder + "2 in sync, without what cannot be read.\n")
    for (words, rest) in [
      ("sync push", "nothing was sent."), ("sync pull", "nothing new on the server."),
      ("sync", "nothing was sent or received."),
      ("sync --dry-run", "nothing was sent or received."),
    ] {
      let sync = try stories(words)
      #expect(sync.code == 1)
      #expect(
        sync.output == "All that can be read is in sync with \(world.server.url); \(rest)\n")
      #expect(sync.errors == folder)
    }
    let check = try stories("check")
    #expect(check.code == 1)
    #expect(check.output == folder + "2 records checked: 1 error.\n")
    let restore = try stories("restore heroes/sub")
    #expect(restore.code == 1)
    #expect(restore.errors == "Error: heroes/sub: cannot be read: Permission denied\n")
    #expect(!(try stories("doctor").output.contains("heroes/sub/luna")))
    let next = try program.shell("\(user) \"$stories\" status --exit-code")
    #expect(next.code == 0, "\(next.output)")
    // What this machine saw is not forgotten: a delete is one afterwards.
    try world.folder.remove("lib/heroes/sub/luna.json")
    let removed = try program.shell("\(user) \"$stories\" status --porcelain=v1")
    #expect(removed.output == "D. heroes/sub/luna\n")
  }

  /// A write whose answer cannot be noted waits, and the records of other folders are synced.
  @Test(.enabled(if: ordinaryUser != nil, "root may do everything, and cannot become another user"))
  func aFolderOfSidecarsThatMayNotBeTouched() async throws {
    let world = try ServedLibraries { $0.features = [] }
    let program = try world.program("lib")
    try world.writeHeroes(1...2, in: "lib")
    try world.folder.write(SampleLibrary.tooth, to: "lib/events/tooth.json")
    #expect(try program.run("sync").code == 0)
    try world.folder.edit("lib/events/tooth.json", "A Lost Tooth", to: "My Tooth")
    let (user, own) = Self.becoming
    let first = try program.shell(
      "\(own) chmod 0555 events/.sync; \(user) \"$stories\" sync push")
    #expect(first.code == 1)
    try world.folder.edit("lib/heroes/hero-1.json", "7", to: "8")
    let second = try program.shell("\(own) \(user) \"$stories\" sync")
    #expect(second.code == 1)
    #expect(second.output.contains("updated  heroes/hero-1"), "\(second.output)")
    #expect(second.errors.contains("events/tooth"), "\(second.errors)")
    let third = try program.shell("chmod 0755 events/.sync; \(user) \"$stories\" sync")
    #expect(third.code == 0, "\(third.errors)")
    #expect(try program.shell("\(user) \"$stories\" status --exit-code").code == 0)
  }

  private static func ids(_ world: ServedLibraries) throws -> [(name: String, id: String)] {
    try world.server.server.records(.heroes, of: TestServer.email).map {
      ($0.value?["name"]?.string ?? "", $0.id)
    }
  }
}
