/// A call of git that starts no other program, whatever a repository configures.
///
/// A library may have been cloned or unpacked, so its repository's configuration, attributes,
/// hooks, index and objects are untrusted. Git has no switch to ignore them. Instead, the
/// repository is named explicitly (so that git discovers none and does not mistake a folder of the
/// library for one), and only the commands of ``Query`` are called. They rule out everything that
/// git-config(1), gitattributes(5), githooks(5), gitcredentials(7) and git(1) list:
///
/// - **Reading the index**: `core.fsmonitor` is off. `post-index-change` needs an index to be
///   written, which `GIT_OPTIONAL_LOCKS` prevents.
/// - **Hooks** (`core.hooksPath`, `hook.*`): no query writes a ref, the index or the working tree,
///   or contacts another repository. `core.hooksPath` is empty as well.
/// - **File contents**: `filter.*` (clean, smudge, process) runs when a file of the working tree
///   becomes an object or is compared with one; the queries compare only object names. `cat-file
///   --batch` and `grep` return raw bytes, without `textconv`.
/// - **Patches and merges**: `diff.external`, `diff.*.command`, `diff.*.textconv` and
///   `interactive.diffFilter` need a patch, `merge.*.driver` a merge. `log` can be configured to
///   make both (`log.diffMerges=remerge`) and to run `gpg.*` (`log.showSignature`), so only its
///   plumbing is a query. `merge-file` takes three files and no driver.
/// - **Other repositories**: `core.sshCommand`, `core.gitProxy`, `core.askPass`, `credential.*`,
///   `remote.*` (`vcs`, `uploadpack`, `receivepack`), `core.alternateRefsCommand`,
///   `uploadpack.packObjectsHook` and remote helpers need a transport. A query uses one only for an
///   object that a partial clone lacks: `GIT_NO_LAZY_FETCH` forbids that (git 2.39.4), and
///   `GIT_ALLOW_PROTOCOL` allows no protocol. `protocol.allow=never` is not enough: a repository's
///   `protocol.ext.allow` overrides it.
/// - **Interaction**: pagers and editors (`core.pager`, `pager.*`, `core.editor`,
///   `sequence.editor`) need a terminal or a command that is not a query, as do `mergetool.*`,
///   `difftool.*`, `guitool.*`, `browser.*` and `man.*`.
/// - **Other commands only**: `alias.*` (never for a built-in command), `submodule.*.update`,
///   `trailer.*`, `tar.*.command`, `sendemail.*`, `imap.tunnel`, `instaweb.*`, `gc` and
///   `maintenance`.
/// - **Redirection**: `GIT_WORK_TREE` overrides `core.worktree`. `include.path`, `config.worktree`
///   and a `.git` file lead only to more configuration, and submodules are not entered.
public enum GitProcess {
  /// A git command that starts no other program.
  public enum Query: String, Sendable {
    case catFile = "cat-file"
    case checkIgnore = "check-ignore"
    /// Reads and writes settings. Must not be called with `--edit`.
    case config
    /// Must be called with `--cached`: otherwise it compares files with objects.
    case diffIndex = "diff-index"
    case diffTree = "diff-tree"
    /// Must not be called with `--textconv` or `--open-files-in-pager`.
    case grep
    case listFiles = "ls-files"
    case mergeFile = "merge-file"
    case parseRevision = "rev-parse"
    case listRevisions = "rev-list"
    /// Must only be called with `list`.
    case worktree
  }

  /// The folder and repository that git works in.
  public struct Place: Sendable, Hashable {
    /// The absolute path of the folder in which git is called.
    public var folder: String
    /// The `.git` folder or file, passed as `GIT_DIR`, or `nil` outside a repository.
    public var marker: String?
    /// The top of the working tree.
    public var top: String?

    /// Creates a place. `top` defaults to the folder that contains `marker`.
    public init(folder: String, marker: String?, top: String? = nil) {
      self.folder = folder
      self.marker = marker
      self.top = top ?? marker.map(Path.parent)
    }

    /// Finds the repository that contains a folder: the nearest `.git` in the folder or above it.
    ///
    /// Fails if no folder up to the root has one.
    public init?(around folder: String) {
      var current = folder
      while !FileSystem.exists(Path.join(current, ".git")) {
        guard current != "/", !current.isEmpty else { return nil }
        current = Path.parent(current)
      }
      self.init(folder: folder, marker: Path.join(current, ".git"))
    }
  }

  /// The settings that override those of all files.
  private static let settings = [
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "safe.bareRepository=explicit",
    "protocol.allow=never", "submodule.recurse=false",
  ]

  /// Returns the call of a query.
  ///
  /// - Parameters:
  ///   - query: The command.
  ///   - arguments: The arguments after the command.
  ///   - place: The folder in which git is called, and its repository.
  ///   - keepsHooksPath: Whether `core.hooksPath` is read from the files, in order to locate hooks.
  public static func call(
    _ query: Query, _ arguments: [String], in place: Place, keepsHooksPath: Bool = false
  ) -> ChildProcess {
    let settings = keepsHooksPath ? settings.filter { !$0.hasPrefix("core.hooksPath") } : settings
    return git(settings, [query.rawValue] + arguments, in: place)
  }

  /// Returns a call of `git init` in a folder.
  public static func initialize(_ folder: String) -> ChildProcess {
    git(settings, ["init", "-q"], in: Place(folder: folder, marker: nil))
  }

  /// Returns a call of `git credential`, or of `git config` for its settings, that uses the user's
  /// configuration but no repository's: it runs in the root folder, without variables naming one.
  ///
  /// It is meant to run the user's credential helpers.
  public static func credential(
    _ arguments: [String], program: String, environment: [String: String]
  ) -> ChildProcess {
    var environment = clean(environment)
    environment["GCM_INTERACTIVE"] = "never"
    let settings = ["core.askPass=", "safe.bareRepository=explicit"].flatMap { ["-c", $0] }
    return ChildProcess([program, "-C", "/"] + settings + arguments, environment: environment)
  }

  private static func git(
    _ settings: [String], _ arguments: [String], in place: Place
  ) -> ChildProcess {
    var environment = clean(ChildProcess.inheritedEnvironment)
    environment["GIT_DIR"] = place.marker
    environment["GIT_WORK_TREE"] = place.marker == nil ? nil : place.top
    environment["GIT_ALLOW_PROTOCOL"] = "none"
    environment["GIT_NO_LAZY_FETCH"] = "1"
    environment["GIT_OPTIONAL_LOCKS"] = "0"
    environment["LC_ALL"] = "C"
    return ChildProcess(
      ["git", "-C", place.folder, "--no-pager"] + settings.flatMap { ["-c", $0] } + arguments,
      environment: environment)
  }

  /// Parses the output of `git cat-file --batch`: an object for each name that was asked for, or `nil`
  /// where git has none. Output that ends early has only the objects before that.
  package static func objects(
    inBatch output: [UInt8]
  ) -> [(name: String, type: String, content: [UInt8])?] {
    var objects: [(name: String, type: String, content: [UInt8])?] = []
    var rest = output[...]
    while let end = rest.firstIndex(of: 0x0A) {
      // `0123… blob 12` and the content, or `heroes/x missing`.
      let head = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
      rest = rest[(end + 1)...]
      guard head.count == 3, let size = Int(head[2]), size >= 0, rest.count > size else {
        objects.append(nil)
        continue
      }
      objects.append((String(head[0]), String(head[1]), Array(rest.prefix(size))))
      rest = rest.dropFirst(size + 1)
    }
    return objects
  }

  /// Removes git's variables except those that locate its programs and configuration: the others
  /// name programs, or the repository of a calling hook.
  private static func clean(_ environment: [String: String]) -> [String: String] {
    var result = environment.filter { name, _ in
      !name.hasPrefix("GIT_") || name == "GIT_EXEC_PATH" || name.hasPrefix("GIT_CONFIG_")
    }
    result["SSH_ASKPASS"] = nil
    result["GIT_TERMINAL_PROMPT"] = "0"
    return result
  }
}

/// A failed call of git.
public enum GitFailure: Error, Sendable, Hashable {
  /// The system could not start it; `code` is the error number, ENOENT if `PATH` has no git.
  case notStarted(code: Int32)
  /// It exceeded its time limit.
  case timedOut
  /// It exceeded its output limit.
  case tooMuchOutput
  /// It exited with this status: it cannot read the repository.
  case refused(status: Int32)
  /// The number of objects whose contents are missing, as in a partial clone.
  case missingObjects(count: Int)

  /// Creates the failure of a call that did not complete.
  public init(_ failure: ChildProcess.Failure) {
    switch failure {
    case .notStarted(_, let code): self = .notStarted(code: code)
    case .timedOut: self = .timedOut
    case .tooMuchOutput: self = .tooMuchOutput
    }
  }
}
