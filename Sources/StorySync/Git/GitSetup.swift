public import StoryLibrary

/// Sets up git for records and sidecars with attributes, drivers and hooks, and removes them again.
///
/// Attributes are a file of the library that all clones share; drivers and hooks belong to one
/// clone. Existing content stays: our lines are between marker lines and can be removed without a
/// trace.
public struct GitSetup: Sendable {
  /// A hook that can get our lines.
  public enum Hook: String, Sendable, CaseIterable {
    case preCommit = "pre-commit"
    case postMerge = "post-merge"
    case postCheckout = "post-checkout"
  }

  /// The change to one part.
  public enum Change: String, Sendable, Hashable {
    case added, updated, removed
  }

  /// One part that changes.
  public struct Step: Sendable, Equatable {
    /// The part.
    public enum Part: Sendable, Equatable {
      /// A file's absolute path, and its old and new bytes, `nil` for no file.
      case file(String, old: [UInt8]?, new: [UInt8]?)
      /// A setting of the repository, and its new value, `nil` to remove it.
      case setting(String, value: String?)
    }

    /// The part.
    public var part: Part
    /// The change to it.
    public var change: Change
  }

  /// A hook that is left unchanged.
  public struct Refusal: Sendable, Hashable {
    /// The hook.
    public var hook: Hook
    /// Its file.
    public var path: String
    /// The reason.
    public var reason: Reason

    /// The reason why a hook gets no lines.
    public enum Reason: Sendable, Hashable {
      /// `core.hooksPath` names a folder that other repositories use too.
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

  /// The changes to make.
  public struct Plan: Sendable, Equatable {
    /// The parts that change, empty if everything is set up.
    public var steps: [Step] = []
    /// The hooks that cannot be changed.
    public var refusals: [Refusal] = []
    /// The attribute files, by absolute path, for which the drivers stay: those of other libraries
    /// in this repository and in its other working trees. `nil` if git does not say who uses the
    /// drivers, which then stay too.
    public var users: [String]? = []
  }

  /// The reason why nothing can be set up.
  public enum Failure: Error, Sendable, Hashable {
    /// The library is not in a repository.
    case noRepository(root: String)
    /// Git is missing or does not answer.
    case noGit
    /// `.gitattributes` is a folder, link or device, which git does not read.
    case attributesNotAFile(String)
    /// A path contains a control character, which shell lines in hooks and settings cannot have.
    case unsafePath(String)
    /// Git rejected a setting.
    case refusedSetting(String)
  }

  let library: Library
  let repository: GitRepository
  let drivers: GitDrivers
  private let top: String
  /// The library's folder below the top, empty for the top itself.
  private let folder: String

  /// Creates the setup of a library.
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

  /// Plans what is missing for a complete setup.
  ///
  /// - Parameter hooks: whether to add hooks; existing ones are kept up to date in any case.
  /// - Throws: `FileError` if a file cannot be read; `Failure.unsafePath`, `attributesNotAFile`.
  public func plan(hooks: Bool) throws -> Plan {
    for path in [library.root] + drivers.programs
    where RecordRef.fault(in: path) == .controlCharacter {
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

  /// Plans the removal of the setup. The drivers stay if others use them, or if git does not say.
  ///
  /// - Throws: as ``plan(hooks:)``.
  public func removalPlan() throws -> Plan {
    var plan = Plan()
    try remove(attributesPath, attributes, &plan)
    let settings = drivers.settings.map(\.key).filter { setting($0) != nil }
    // The repository's drivers are shared: other libraries that name them keep using them.
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
      // A link is reported where it matters.
      if error.isMissing || error.isNotAFile { return nil }
      throw error
    }
  }

  // MARK: Attributes

  private var attributesPath: String { library.path(".gitattributes").text }
  private let attributes = MarkedBlock(name: "stories git setup")

  /// The later line wins: a sidecar is not a record. Line endings of records are not set: they keep
  /// theirs.
  private static let attributeLines =
    EntityKind.allCases.map { "\($0.folder)/**/*.json diff=stories-json merge=stories-json" }
    + EntityKind.allCases.map {
      "\($0.folder)/**/.sync/*.json text eol=lf -diff linguist-generated merge=stories-sidecar"
    }

  /// Returns the other files that name our drivers, or `nil` if git does not say.
  private func otherUsers() throws -> [String]? {
    guard let trees = workingTrees() else { return nil }
    var users: [String] = []
    for tree in trees {
      let search = [
        "-l", "-z", "-F", "--no-color", "--no-textconv", "--no-recurse-submodules", "-e",
        "=stories-",
      ]
      let files = ["--", ":(glob)**/.gitattributes"]
      // A sparse checkout's missing files are in the index, files never added only in the tree.
      guard let other = GitRepository(around: tree),
        let inIndex = other.paths(.grep, search + ["--cached"] + files, orNone: 1),
        let inTree = other.paths(.grep, search + ["--untracked"] + files, orNone: 1),
        let gone = other.paths(.listFiles, ["--deleted", "-z"] + files)
      else { return nil }
      // The index keeps a removed file until the next commit.
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

  /// Returns the tops of the repository's working trees, or `nil` if git does not say.
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

  /// Returns the top of a working tree that git lists, or `nil` if it is gone.
  private func workingTree(at listed: String) -> String? {
    func isTop(_ folder: String) -> Bool { FileSystem.exists(Path.join(folder, ".git")) }
    if isTop(listed) { return Path.resolved(listed) }
    // A submodule's main tree is listed as its git folder, whose settings name the tree.
    let settings = ["--file", Path.join(listed, "config"), "-z", "--get", "core.worktree"]
    guard let output = try? repository.answer(.config, settings) else { return nil }
    let tree = Path.absolute(String(decoding: output.dropLast(), as: UTF8.self), in: listed)
    return isTop(tree) ? Path.resolved(tree) : nil
  }

  // MARK: Hooks

  /// Git's hooks folder, which `core.hooksPath` may set.
  private var hooksFolder: String {
    let path = try? repository.answer(
      .parseRevision, ["--git-path", "hooks"], keepsHooksPath: true)
    return Path.absolute(path.map(Self.line) ?? ".git/hooks", in: library.root)
  }

  /// The block of this library; each library of a working tree has its own.
  private var block: MarkedBlock {
    MarkedBlock(
      name: "stories git setup" + (folder.isEmpty ? "" : ": " + folder), prelude: "#!/bin/sh\n",
      isAtTop: true)
  }

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

  /// Returns whether a folder belongs to this repository alone.
  private func isOwn(_ folder: String) -> Bool {
    let common = try? repository.answer(.parseRevision, ["--git-common-dir"])
    let own = [top] + (common.map { [Path.absolute(Self.line($0), in: library.root)] } ?? [])
    let place = Path.resolved(folder) ?? folder
    return own.contains { Path.relative(place, to: Path.resolved($0) ?? $0) != nil }
  }

  // MARK: Applying

  private func setting(_ key: String) -> String? {
    (try? repository.answer(.config, ["--local", "-z", "--get", key])).map {
      String(decoding: $0.dropLast(), as: UTF8.self)
    }
  }

  /// Carries out a plan.
  ///
  /// - Throws: `FileError`; `Failure.refusedSetting`. Changes made until then stay, and the plan
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
