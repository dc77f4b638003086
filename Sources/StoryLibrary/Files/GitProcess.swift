/// A call of git that starts no other program, whatever a repository says.
///
/// A library may have been cloned or unpacked, so its repository's configuration, attributes, hooks,
/// index and objects are a stranger's. Git has no switch that leaves them out; instead the
/// repository is named (so that git discovers none, and takes no folder of the library for one), and
/// only commands of ``Query`` are called, which leave every door below closed. This is all that
/// git-config(1), gitattributes(5), githooks(5), gitcredentials(7) and git(1) name:
///
/// - **The index is read**: `core.fsmonitor` is off. `post-index-change` needs a written index, and
///   `GIT_OPTIONAL_LOCKS` leaves it as it is.
/// - **Hooks** (`core.hooksPath`, `hook.*`): no query writes a ref, the index or the working tree, or
///   talks to another repository, and `core.hooksPath` is empty besides.
/// - **Contents of files**: `filter.*` (clean, smudge, process) runs where a file of the working tree
///   becomes an object or is compared with one; the queries compare names of objects only. `cat-file
///   --batch` and `grep` give the bytes as they are, without `textconv`.
/// - **Patches and merges**: `diff.external`, `diff.*.command`, `diff.*.textconv` and
///   `interactive.diffFilter` need a patch, `merge.*.driver` a merge; `log` makes both when its
///   configuration says so (`log.diffMerges=remerge`), and runs `gpg.*` (`log.showSignature`), so it
///   is no query: its plumbing is. `merge-file` takes three files and no driver.
/// - **Other repositories**: `core.sshCommand`, `core.gitProxy`, `core.askPass`, `credential.*`,
///   `remote.*` (`vcs`, `uploadpack`, `receivepack`), `core.alternateRefsCommand`,
///   `uploadpack.packObjectsHook` and remote helpers need a transport. A query has one only for an
///   object that a partial clone lacks: `GIT_NO_LAZY_FETCH` forbids it (git 2.39.4), and
///   `GIT_ALLOW_PROTOCOL` allows no protocol. `protocol.allow=never` alone would not do:
///   a repository's `protocol.ext.allow` outranks it.
/// - **A person**: pagers and editors (`core.pager`, `pager.*`, `core.editor`, `sequence.editor`)
///   need a terminal, or commands that are no queries, as do `mergetool.*`, `difftool.*`, `guitool.*`,
///   `browser.*` and `man.*`.
/// - **Other commands** only: `alias.*` (never for a command that git has), `submodule.*.update`,
///   `trailer.*`, `tar.*.command`, `sendemail.*`, `imap.tunnel`, `instaweb.*`, `gc` and `maintenance`.
/// - **Redirection**: `core.worktree` is outranked by `GIT_WORK_TREE`; `include.path`,
///   `config.worktree` and `.git` as a file lead to more of the same configuration, and submodules
///   are not entered.
public enum GitProcess {
  /// A git command that starts no other program.
  public enum Query: String, Sendable {
    case catFile = "cat-file"
    case checkIgnore = "check-ignore"
    /// Reads and writes settings; it must not be asked to `--edit`.
    case config
    /// Must be called with `--cached`: without it, files are compared with objects.
    case diffIndex = "diff-index"
    case diffTree = "diff-tree"
    /// Must not be called with `--textconv` or `--open-files-in-pager`.
    case grep
    case listFiles = "ls-files"
    case mergeFile = "merge-file"
    case parseRevision = "rev-parse"
    case listRevisions = "rev-list"
    /// Only to `list`.
    case worktree
  }

  /// Where git works.
  public struct Place: Sendable, Hashable {
    /// The folder that it is called in, an absolute path.
    public var folder: String
    /// The folder or file `.git`, or what git calls `GIT_DIR`; `nil` outside of any repository.
    public var marker: String?
    /// The top of the working tree.
    public var top: String?

    /// A place from its parts; without `top` it is the folder that holds `marker`.
    public init(folder: String, marker: String?, top: String? = nil) {
      self.folder = folder
      self.marker = marker
      self.top = top ?? marker.map(Path.parent)
    }

    /// The place that a folder is, with the nearest `.git` from there upwards.
    ///
    /// - Returns: `nil` if no folder above has one.
    public init?(around folder: String) {
      var current = folder
      while !FileSystem.exists(Path.join(current, ".git")) {
        guard current != "/", !current.isEmpty else { return nil }
        current = Path.parent(current)
      }
      self.init(folder: folder, marker: Path.join(current, ".git"))
    }
  }

  /// Settings that outrank those of every file.
  private static let settings = [
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "safe.bareRepository=explicit",
    "protocol.allow=never", "submodule.recurse=false",
  ]

  /// A call of a query.
  ///
  /// - Parameters:
  ///   - query: the command.
  ///   - arguments: what follows the command's name.
  ///   - place: the folder that git is called in, and its repository.
  ///   - keepsHooksPath: whether `core.hooksPath` is read from the files, to find out where hooks are.
  public static func call(
    _ query: Query, _ arguments: [String], in place: Place, keepsHooksPath: Bool = false
  ) -> ChildProcess {
    let settings = keepsHooksPath ? settings.filter { !$0.hasPrefix("core.hooksPath") } : settings
    return git(settings, [query.rawValue] + arguments, in: place)
  }

  /// A call of `git init` in a folder.
  public static func initialize(_ folder: String) -> ChildProcess {
    git(settings, ["init", "-q"], in: Place(folder: folder, marker: nil))
  }

  /// A call of `git credential`, or of `git config` for its settings, with the user's own
  /// configuration and no repository's: in the root folder, and with no variable that names one.
  ///
  /// The user's credential helpers run, which is what it is for.
  public static func credential(
    _ arguments: [String], program: String = "git", environment: [String: String]
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

  /// Leaves of git's variables those that name its own program and configuration: others name
  /// programs, or a repository that a hook is about.
  private static func clean(_ environment: [String: String]) -> [String: String] {
    var result = environment.filter { name, _ in
      !name.hasPrefix("GIT_") || name == "GIT_EXEC_PATH" || name.hasPrefix("GIT_CONFIG_")
    }
    result["SSH_ASKPASS"] = nil
    result["GIT_TERMINAL_PROMPT"] = "0"
    return result
  }
}

/// Git did not answer.
public enum GitFailure: Error, Sendable, Hashable {
  /// The system did not start it; `code` is the error number, ENOENT if `PATH` has no such program.
  case notStarted(code: Int32)
  /// It took longer than it was given.
  case timedOut
  /// It wrote more than anybody expects of it.
  case tooMuchOutput
  /// It ended with this exit status: no repository that it can read.
  case refused(status: Int32)
  /// It does not have the contents of so many objects, as in a partial clone.
  case missingObjects(count: Int)

  /// The failure of a call that did not come to its end.
  public init(_ failure: ChildProcess.Failure) {
    switch failure {
    case .notStarted(_, let code): self = .notStarted(code: code)
    case .timedOut: self = .timedOut
    case .tooMuchOutput: self = .tooMuchOutput
    }
  }
}
