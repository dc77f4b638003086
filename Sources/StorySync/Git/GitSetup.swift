public import StoryLibrary

/// Makes git know records and sidecars: attributes, drivers and hooks; and takes it all back.
///
/// Attributes are a file of the library, which everybody gets; drivers and hooks belong to one clone.
/// What was there stays: lines of ours stand between marker lines, and each part is as it was before
/// once they are taken out.
public struct GitSetup: Sendable {
  /// A hook that we have lines for.
  public enum Hook: String, Sendable, CaseIterable {
    case preCommit = "pre-commit"
    case postMerge = "post-merge"
    case postCheckout = "post-checkout"
  }

  /// What is done to one part.
  public enum Change: String, Sendable, Hashable {
    case added, updated, removed
  }

  /// One part that changes.
  public struct Step: Sendable, Equatable {
    /// What it is.
    public enum Part: Sendable, Equatable {
      /// A file, by its absolute path, with its bytes now and then; `nil` for none.
      case file(String, old: [UInt8]?, new: [UInt8]?)
      /// A setting of the repository, with its new value; `nil` for none.
      case setting(String, value: String?)
    }

    /// What it is.
    public var part: Part
    /// What is done to it.
    public var change: Change
  }

  /// A hook that is left alone.
  public struct Refusal: Sendable, Hashable {
    /// The hook.
    public var hook: Hook
    /// Its file.
    public var path: String
    /// Why.
    public var reason: Reason

    /// Why a hook gets no lines.
    public enum Reason: Sendable, Hashable {
      /// `core.hooksPath` names a folder that other repositories use as well.
      case sharedFolder
      /// The hook is a symbolic link.
      case link
      /// The hook is a folder or a device.
      case notAFile
      /// Git does not run the hook, because it is not executable.
      case notExecutable
      /// The hook is a program of another kind.
      case notAShellScript
    }
  }

  /// What is done.
  public struct Plan: Sendable, Equatable {
    /// The parts that change; empty where all is as it should be.
    public var steps: [Step] = []
    /// The hooks that cannot be changed.
    public var refusals: [Refusal] = []
    /// The files with attributes, by their absolute paths, for which the drivers stay: those of other
    /// libraries of this repository, and of its other working trees; `nil` where git does not say who
    /// uses them, for which they stay as well.
    public var users: [String]? = []
  }

  /// Why nothing can be set up.
  public enum Failure: Error, Sendable, Hashable {
    /// The library lies in no repository.
    case noRepository(root: String)
    /// Git is not there or does not answer.
    case noGit
    /// `.gitattributes` is a folder, a link or a device, which git does not read.
    case attributesNotAFile(String)
    /// A path contains a control character, and hooks and settings are lines for a shell.
    case unsafePath(String)
    /// Git refused a setting.
    case refusedSetting(String)
  }

  let library: Library
  let repository: GitRepository
  let drivers: GitDrivers
  /// The top of the working tree.
  private let top: String
  /// The library's folder below the top; empty for the top itself.
  private let folder: String

  /// The setup of a library.
  ///
  /// - Throws: `Failure`.
  public init(_ library: Library, drivers: GitDrivers) throws(Failure) {
    guard let repository = GitRepository(library) else { throw .noRepository(root: library.root) }
    do throws(GitFailure) {
      _ = try repository.answer(.parseRevision, ["--git-dir"])
    } catch {
      throw .noGit
    }
    self.library = library
    self.repository = repository
    self.drivers = drivers
    top = repository.top
    folder = Path.relative(library.root, to: top) ?? ""
  }

  private static func line(_ output: [UInt8]) -> String {
    String(decoding: output.last == 0x0A ? output.dropLast() : output[...], as: UTF8.self)
  }

  // MARK: Planning

  /// What has to be done so that everything is set up.
  ///
  /// - Parameter hooks: whether hooks are wanted; those that are there are kept up to date in any case.
  /// - Throws: `FileError` where a file cannot be read; `Failure.unsafePath`, `attributesNotAFile`.
  public func plan(hooks: Bool) throws -> Plan {
    for path in [library.root] + drivers.programs
    where RecordRef.fault(in: path) != nil {
      throw Failure.unsafePath(path)
    }
    if let type = try FileSystem.status(attributesPath)?.type, type != .regular {
      throw Failure.attributesNotAFile(attributesPath)
    }
    var plan = Plan()
    try add(attributesPath, attributes, Self.attributeLines, &plan)
    for (key, value) in drivers.settings {
      let old = setting(key)
      if old == value { continue }
      plan.steps.append(
        Step(part: .setting(key, value: value), change: old == nil ? .added : .updated))
    }
    for hook in Hook.allCases {
      let path = Path.join(hooksFolder, hook.rawValue)
      let isThere = try read(path).map(block.isIn) ?? false
      guard hooks || isThere else { continue }
      if let reason = try obstacle(at: path) {
        plan.refusals.append(Refusal(hook: hook, path: path, reason: reason))
      } else {
        try add(path, block, drivers.hook(hook, library: folder), &plan)
      }
    }
    return plan
  }

  /// What has to be done so that nothing of it is left; the drivers stay where others use them, or where
  /// git does not say whether others do.
  ///
  /// - Throws: as ``plan(hooks:)``.
  public func removalPlan() throws -> Plan {
    var plan = Plan()
    try remove(attributesPath, attributes, &plan)
    let settings = drivers.settings.map(\.key).filter { setting($0) != nil }
    // The drivers are one for the repository: who else names them goes on with them.
    if !settings.isEmpty { plan.users = try otherUsers() }
    if plan.users?.isEmpty ?? false {
      plan.steps += settings.map { Step(part: .setting($0, value: nil), change: .removed) }
    }
    for hook in Hook.allCases {
      try remove(Path.join(hooksFolder, hook.rawValue), block, &plan)
    }
    return plan
  }

  private func add(
    _ path: String, _ block: MarkedBlock, _ lines: [String], _ plan: inout Plan
  ) throws {
    let old = try read(path)
    let new = block.adding(lines, to: old)
    guard old != new else { return }
    let isThere = old.map(block.isIn) ?? false
    plan.steps.append(
      Step(part: .file(path, old: old, new: new), change: isThere ? .updated : .added))
  }

  private func remove(_ path: String, _ block: MarkedBlock, _ plan: inout Plan) throws {
    guard let old = try read(path), block.isIn(old) else { return }
    plan.steps.append(
      Step(part: .file(path, old: old, new: block.removing(from: old)), change: .removed))
  }

  private func read(_ path: String) throws(FileError) -> [UInt8]? {
    do throws(FileError) {
      return try FileSystem.read(path)
    } catch {
      // A link is told of where it stands in the way.
      if error.isMissing || error.isNotAFile { return nil }
      throw error
    }
  }

  // MARK: Attributes

  private var attributesPath: String { library.path(".gitattributes").text }
  private let attributes = MarkedBlock(name: "stories git setup")

  /// The later line counts more: a sidecar is no record. A record keeps its own line ends, so nothing
  /// is said of them.
  private static let attributeLines =
    EntityKind.allCases.map { "\($0.folder)/**/*.json diff=stories-json merge=stories-json" }
    + EntityKind.allCases.map {
      "\($0.folder)/**/.sync/*.json text eol=lf -diff linguist-generated merge=stories-sidecar"
    }

  /// The files that name our drivers once ours no longer does; `nil` where git does not say.
  private func otherUsers() throws -> [String]? {
    guard let trees = workingTrees() else { return nil }
    var users: [String] = []
    for tree in trees {
      let search = [
        "-l", "-z", "-F", "--no-color", "--no-textconv", "--no-recurse-submodules", "-e",
        "=stories-",
      ]
      let files = ["--", ":(glob)**/.gitattributes"]
      // What a sparse checkout leaves out is in the index, what was never added in the tree alone.
      guard let other = GitRepository(around: tree),
        let inIndex = other.paths(.grep, search + ["--cached"] + files, orNone: 1),
        let inTree = other.paths(.grep, search + ["--untracked"] + files, orNone: 1),
        let gone = other.paths(.listFiles, ["--deleted", "-z"] + files)
      else { return nil }
      // The index keeps a file that was removed until the next commit.
      users += (inIndex.filter { !gone.contains($0) } + inTree).map { Path.join(tree, $0) }
    }
    let own = Path.resolved(attributesPath) ?? attributesPath
    var rest = Set(users.map { Path.resolved($0) ?? $0 }.filter { $0 != own })
    if let text = try read(attributesPath), let left = attributes.removing(from: text),
      String(decoding: left, as: UTF8.self).contains("=stories-")
    {
      rest.insert(attributesPath)
    }
    return rest.sorted()
  }

  /// The tops of the repository's working trees; `nil` where git does not say.
  private func workingTrees() -> Set<String>? {
    // `worktree /path<NUL>HEAD 0123…<NUL>branch refs/heads/main<NUL><NUL>`; git before 2.36 has lines.
    let words = ["list", "--porcelain"]
    let (zeros, lines) = (try? repository.answer(.worktree, words + ["-z"]), UInt8(ascii: "\n"))
    guard let listing = zeros ?? (try? repository.answer(.worktree, words)) else { return nil }
    let listed = listing.split(separator: zeros == nil ? lines : 0).compactMap { line -> String? in
      let text = String(decoding: line, as: UTF8.self)
      guard text.hasPrefix("worktree ") else { return nil }
      return workingTree(at: String(text.dropFirst("worktree ".count)))
    }
    return Set(listed + [top])
  }

  /// The top of a working tree that git lists; `nil` if it is gone.
  private func workingTree(at listed: String) -> String? {
    func isTop(_ folder: String) -> Bool { FileSystem.exists(Path.join(folder, ".git")) }
    if isTop(listed) { return Path.resolved(listed) }
    // A submodule's main one is listed as its folder of git's, whose settings name the tree.
    let settings = ["--file", Path.join(listed, "config"), "-z", "--get", "core.worktree"]
    guard let output = try? repository.answer(.config, settings) else { return nil }
    let tree = Path.absolute(String(decoding: output.dropLast(), as: UTF8.self), in: listed)
    return isTop(tree) ? Path.resolved(tree) : nil
  }

  // MARK: Hooks

  /// Where git looks for hooks; `core.hooksPath` may name another folder.
  private var hooksFolder: String {
    let path = try? repository.answer(
      .parseRevision, ["--git-path", "hooks"], keepsHooksPath: true)
    return Path.absolute(path.map(Self.line) ?? ".git/hooks", in: library.root)
  }

  /// One for each library of a working tree.
  private var block: MarkedBlock {
    MarkedBlock(
      name: "stories git setup" + (folder.isEmpty ? "" : ": " + folder), prelude: "#!/bin/sh\n",
      isAtTop: true)
  }

  /// Why a hook cannot get lines; `nil` where it can.
  private func obstacle(at path: String) throws -> Refusal.Reason? {
    guard isOwn(hooksFolder) else { return .sharedFolder }
    guard let status = try FileSystem.status(path) else { return nil }
    switch status.type {
    case .regular: break
    case .link: return .link
    case .folder, .other: return .notAFile
    }
    guard status.mode & 0o100 != 0 else { return .notExecutable }
    let text = try FileSystem.read(path)
    guard text.starts(with: "#!".utf8) else {
      return text.contains(0) ? .notAShellScript : nil
    }
    let line = String(decoding: text.prefix { $0 != 0x0A }, as: UTF8.self)
    let words = line.dropFirst(2).split(whereSeparator: { $0 == " " || $0 == "/" })
    let isShell = words.contains { ["sh", "bash", "dash", "ksh", "zsh"].contains($0) }
    return isShell ? nil : .notAShellScript
  }

  /// Whether a folder belongs to this repository alone.
  private func isOwn(_ folder: String) -> Bool {
    let common = try? repository.answer(.parseRevision, ["--git-common-dir"])
    let own = [top] + (common.map { [Path.absolute(Self.line($0), in: library.root)] } ?? [])
    let place = Path.resolved(folder) ?? folder
    return own.contains { Path.relative(place, to: Path.resolved($0) ?? $0) != nil }
  }

  // MARK: Doing it

  private func setting(_ key: String) -> String? {
    (try? repository.answer(.config, ["--local", "-z", "--get", key])).map {
      String(decoding: $0.dropLast(), as: UTF8.self)
    }
  }

  /// Does what a plan says.
  ///
  /// - Throws: `FileError`; `Failure.refusedSetting`. What was done until then stays, and the same plan
  ///   can be made and applied again.
  public func apply(_ plan: Plan) throws {
    for step in plan.steps {
      switch step.part {
      case .file(let path, let old, let new):
        if let new {
          try FileSystem.makeFolder(Path.parent(path))
          let isHook = path != attributesPath
          let expected = old.map { AtomicFile.Expectation.content(ContentDigest($0)) }
          try AtomicFile.write(
            new, to: path, expecting: expected ?? .absent, mode: isHook && old == nil ? 0o755 : nil)
        } else {
          try FileSystem.remove(path)
        }
      case .setting(let key, let value):
        let words = value.map { [key, $0] } ?? ["--unset-all", key]
        guard (try? repository.answer(.config, ["--local"] + words)) != nil else {
          throw Failure.refusedSetting(key)
        }
      }
    }
  }
}

extension GitRepository {
  /// The paths in git's NUL-terminated output; `nil` if git fails.
  ///
  /// - Parameter none: the exit status, besides 0, that means no paths.
  fileprivate func paths(
    _ query: GitProcess.Query, _ arguments: [String], orNone none: Int32 = 0
  ) -> [String]? {
    (try? answer(query, arguments, orNone: none))?.split(separator: 0).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
