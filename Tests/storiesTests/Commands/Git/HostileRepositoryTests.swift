import StoryLibrary
import TestSupport
import Testing

@testable import stories

/// A library with a stranger's repository: nothing that its configuration names is started, whatever
/// the command.
@Suite(.inTurn, .enabled(if: GitTree.isThere, "needs git"))
struct HostileRepositoryTests {
  /// Where the stranger's configuration comes from.
  enum Attack: String, CaseIterable {
    /// A bare repository made of files of the library itself, in somebody's own working tree.
    case bareRepository
    /// The `.git` of an unpacked archive.
    case ownRepository
    /// The same with objects that only a remote helper could bring.
    case partialClone
    /// A file `.git` that leads to a folder of the library.
    case linkedRepository
  }

  /// Every command that looks at a library, or writes what git keeps.
  private static let commandLines = [
    "status", "status --porcelain=v1", "status --json --all", "check", "check --staged", "list",
    "show heroes/luna", "diff", "why heroes/luna", "log", "conflicts", "doctor",
    "sync push --dry-run", "sync pull --dry-run", "sync --dry-run", "git setup --dry-run",
    "git setup --hooks", "git textconv heroes/luna.json", "git hook post-merge",
    "git hook post-checkout", "fmt --check", "media list", "remote show",
    "completions bash -- show h",
    "undo --dry-run", "mv heroes/luna heroes/lena --dry-run", "rm heroes/luna --dry-run",
    "sync pull",
    "sync push", "sync", "doctor --fix", "git setup --remove", "undo",
  ].map { $0.split(separator: " ").map(String.init) }

  @Test(arguments: Attack.allCases)
  func `no command starts what a repository names`(_ attack: Attack) async throws {
    let folder = try TemporaryFolder()
    let library = try Self.prepare(attack, in: folder)
    let program = try BuiltProgram(in: folder)
    for words in Self.commandLines {
      _ = try program.run(["-C", library] + words)
      let started = (try? FileSystem.list(folder.path("started")))?.map(\.name) ?? []
      #expect(started == [], "\(attack): stories \(words.joined(separator: " "))")
      if !started.isEmpty { try folder.remove("started") }
    }
  }

  /// Makes a library of which git could tell a lot: an edit that is an older version, a merge, a
  /// signed commit; and then the configuration. Returns the library's folder.
  private static func prepare(_ attack: Attack, in folder: TemporaryFolder) throws -> String {
    let program = try BuiltProgram(in: folder)
    let tree = GitTree(path: folder.path("repo"))
    _ = try program.run("init", "repo/lib")
    try folder.write(SampleLibrary.luna, to: "repo/lib/heroes/luna.json")
    try folder.write(SampleLibrary.otto, to: "repo/lib/heroes/otto.json")
    _ = try program.run("-C", "repo/lib", "sync")
    let place = attack == .bareRepository ? tree : GitTree(path: folder.path("repo/lib"))
    try place.git("init", "-q", "-b", "main")
    try place.commit("One")
    try folder.edit("repo/lib/heroes/luna.json", "7", to: "8")
    _ = try program.run("-C", "repo/lib", "sync")
    try place.git("checkout", "-qb", "side")
    try place.commit("Side")
    try place.git("checkout", "-q", "main")
    try folder.edit("repo/lib/heroes/luna.json", "7", to: "9")
    _ = try program.run("-C", "repo/lib", "sync")
    try place.commit("Main")
    try place.git("merge", "-q", "-s", "ours", "-m", "Merge", "side")
    try sign(place, folder)
    try folder.edit("repo/lib/heroes/luna.json", "9", to: "7")
    try configure(attack, place, folder)
    return "repo/lib"
  }

  /// Makes the last commit one with a signature.
  private static func sign(_ tree: GitTree, _ folder: TemporaryFolder) throws {
    let text = try tree.git("cat-file", "commit", "HEAD")
    guard let end = text.firstRange(of: "\n\n") else { return }
    let signature = "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n aaaa\n -----END PGP SIGNATURE-----"
    try folder.write(
      text[..<end.lowerBound] + signature + text[end.lowerBound...], to: "commit")
    let name = try tree.git("hash-object", "-t", "commit", "-w", folder.path("commit"))
    try tree.git("update-ref", "HEAD", String(name.dropLast()))
  }

  private static func configure(
    _ attack: Attack, _ tree: GitTree, _ folder: TemporaryFolder
  ) throws {
    var marker = Path.join(tree.path, ".git")
    if attack == .bareRepository {
      marker = folder.path("repo/lib")
      for name in ["objects", "refs"] { try FileSystem.makeFolder(Path.join(marker, name)) }
      try folder.write("ref: refs/heads/main\n", to: "repo/lib/HEAD")
      try folder.write("[core]\n\trepositoryFormatVersion = 0\n", to: "repo/lib/config")
    } else if attack == .linkedRepository {
      try folder.move("repo/lib/.git", to: "repo/lib/heroes/evil")
      try folder.write("gitdir: heroes/evil\n", to: "repo/lib/.git")
      marker = folder.path("repo/lib/heroes/evil")
    } else if attack == .partialClone {
      // The text of a sidecar that a sparse checkout leaves out is at the remote.
      try tree.git("sparse-checkout", "set", "--no-cone", "/*", "!/heroes/.sync/otto.json")
      let object = try tree.git("rev-parse", "HEAD:heroes/.sync/otto.json").dropLast()
      let name = "\(marker)/objects/\(object.prefix(2))/\(object.dropFirst(2))"
      try FileSystem.remove(name)
    }
    let config = Path.join(marker, "config")
    let relative = Path.relative(config, to: folder.path) ?? ""
    try folder.write(try folder.read(relative) + settings(attack, folder), to: relative)
    try FileSystem.makeFolder(Path.join(marker, "info"))
    try folder.write(
      "* filter=evil diff=evil merge=evil\n",
      to: Path.relative(Path.join(marker, "info/attributes"), to: folder.path) ?? "")
    try FileSystem.makeFolder(folder.path("hooks"))
    for hook in ["post-index-change", "reference-transaction", "pre-auto-gc", "post-checkout"] {
      try script("hook", at: "hooks/" + hook, folder)
    }
    for name in ["gpg", "ext"] { try script(name, at: name, folder) }
  }

  private static func script(
    _ name: String, at path: String, _ folder: TemporaryFolder
  ) throws {
    try folder.write("#!/bin/sh\n\(command(name, folder))\n", to: path)
    let mode = ChildProcess(["chmod", "755", folder.path(path)], environment: GitTree.environment)
    _ = try mode.run()
  }

  /// A command that leaves a trace, and fails.
  private static func command(_ name: String, _ folder: TemporaryFolder) -> String {
    let started = folder.path("started")
    return "mkdir -p '\(started)' && touch '\(started)/\(name)'; false"
  }

  /// Everything in a configuration that names a program, as far as git asks for it without a terminal.
  private static func settings(_ attack: Attack, _ folder: TemporaryFolder) -> String {
    func run(_ name: String) -> String { "\"\(command(name, folder)) #\"" }
    return """

      [core]
      \tbare = false
      \t\(attack == .bareRepository ? "worktree = ." : "")
      \tfsmonitor = \(run("fsmonitor"))
      \thooksPath = \(folder.path("hooks"))
      \tpager = \(run("pager"))
      \teditor = \(run("editor"))
      \tsshCommand = \(run("ssh"))
      \tgitProxy = \(run("proxy"))
      \taskPass = \(run("askpass"))
      \talternateRefsCommand = \(run("alternates"))
      [pager]
      \tdiff = \(run("pager"))
      \tls-files = \(run("pager"))
      [alias]
      \tls-files = \(run("alias").replacing("\"mkdir", with: "\"!mkdir"))
      [log]
      \tshowSignature = true
      \tdiffMerges = remerge
      [gpg]
      \tprogram = \(folder.path("gpg"))
      [filter "evil"]
      \tclean = \(run("clean"))
      \tsmudge = \(run("smudge"))
      \tprocess = \(run("process"))
      \trequired = true
      [diff]
      \texternal = \(run("external"))
      [diff "evil"]
      \tcommand = \(run("diff"))
      \ttextconv = \(run("textconv"))
      [merge "evil"]
      \tdriver = \(run("merge"))
      [credential]
      \thelper = \(run("credential").replacing("\"mkdir", with: "\"!mkdir"))
      [protocol]
      \tallow = always
      [protocol "ext"]
      \tallow = always
      [protocol "file"]
      \tallow = always
      [submodule]
      \trecurse = true
      [hook "evil"]
      \tcommand = \(run("hook"))
      \tevent = post-index-change
      \(attack == .partialClone ? partialClone(folder) : "")
      """
  }

  private static func partialClone(_ folder: TemporaryFolder) -> String {
    """
    [core]
    \trepositoryFormatVersion = 1
    [extensions]
    \tpartialClone = origin
    [remote "origin"]
    \tpromisor = true
    \turl = "ext::\(folder.path("ext"))"
    \tuploadpack = "\(command("uploadpack", folder)) #"
    """
  }
}
