import Foundation
public import StoryLibrary

/// What git says about a library that lies in a working tree. Git is asked, never told.
public struct GitRepository: Sendable {
  /// The library's root.
  let root: String

  /// The repository that a library lies in; `nil` where it lies in none.
  ///
  /// Nothing is started for this: it looks for `.git` in the root and above.
  public init?(_ library: Library) {
    var folder = library.root
    while !FileSystem.exists(Path.join(folder, ".git")) {
      guard folder != "/", !folder.isEmpty else { return nil }
      folder = Path.parent(folder)
    }
    root = library.root
  }

  /// Of `paths`, relative to the library's root, those that git tracks but keeps out of the working
  /// tree (the skip-worktree bit of a sparse checkout). Git not answering counts as none.
  public func notCheckedOut(_ paths: [String]) -> Set<String> {
    guard let output = run(["ls-files", "-t", "-z", "--"] + EntityKind.allCases.map(\.folder))
    else { return [] }
    let wanted = Set(paths)
    var result: Set<String> = []
    for line in output.split(separator: 0) where line.first == UInt8(ascii: "S") {
      let path = String(decoding: line.dropFirst(2), as: UTF8.self)
      if wanted.contains(path) { result.insert(path) }
    }
    return result
  }

  /// Whether git tracks anything of this machine's own state.
  public var tracksState: Bool {
    run(["ls-files", "-z", "--", Library.stateFolderName])?.isEmpty == false
  }

  /// What git prints, `nil` where it fails or is not there.
  func run(_ arguments: [String]) -> [UInt8]? {
    var environment = ProcessInfo.processInfo.environment
    // Answers about this working tree, whatever hook or script we are called from.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
      environment[name] = nil
    }
    environment["GIT_OPTIONAL_LOCKS"] = "0"
    environment["LC_ALL"] = "C"
    let git = ChildProcess(["git", "-C", root] + arguments, environment: environment)
    guard let result = try? git.run(), result.status == 0 else { return nil }
    return result.output
  }
}
