import StoryLibrary

/// What git's configuration says about our drivers: lines for a shell, since git runs them with one.
///
/// A program may be moved or missing in another clone's place; then the next one of the list is taken,
/// and at last what git does without a driver.
public struct GitDrivers: Sendable {
  /// The programs to try, in their order: names for `PATH`, or absolute paths.
  public var programs: [String]
  /// The program for hooks, which needs all commands.
  public var hookPrograms: [String]

  /// Drivers that call a program.
  ///
  /// - Parameters:
  ///   - program: this program's own file, an absolute path without links.
  ///   - path: `PATH`, in which a program is found by its name alone.
  public init(program: String, path: String) {
    let helper = Path.join(Path.parent(program), "stories-driver")
    let own = Self.word(for: program, path: path)
    hookPrograms = Self.unique([own, "stories"])
    programs = hookPrograms
    if FileSystem.exists(helper) {
      programs = Self.unique([Self.word(for: helper, path: path)] + hookPrograms)
    }
  }

  private static func unique(_ words: [String]) -> [String] {
    words.enumerated().filter { words.firstIndex(of: $1) == $0 }.map(\.element)
  }

  /// The name alone where `PATH` leads to this very file; it stays right when the program is updated.
  private static func word(for program: String, path: String) -> String {
    let name = Path.name(program)
    let found = path.utf8.split(separator: UInt8(ascii: ":")).lazy
      .map { Path.join(String(Substring($0)), name) }.first { FileSystem.exists($0) }
    return found.flatMap(Path.resolved) == program ? name : program
  }

  /// The settings, by their keys in git's configuration.
  public var settings: [(key: String, value: String)] {
    [
      ("merge.stories-json.name", "records of stories, field by field"),
      ("merge.stories-json.driver", merge("merge-record")),
      ("merge.stories-sidecar.name", "sidecars of stories"),
      ("merge.stories-sidecar.driver", merge("merge-sidecar")),
      ("diff.stories-json.textconv", textconv),
    ]
  }

  /// The sections that the settings belong to.
  static let sections = ["merge.stories-json", "merge.stories-sidecar", "diff.stories-json"]

  private func merge(_ command: String) -> String {
    // Git puts words in place of %O and the like; older ones leave those they do not know.
    "for p in \(list(programs).replacing("%", with: "%%")); do"
      + " command -v \"$p\" >/dev/null 2>&1 || continue;"
      + " \"$p\" git \(command) %O %A %B %P %L %S %X %Y; s=$?; test $s -gt 1 || exit $s; done;"
      + " exec git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B"
  }

  private var textconv: String {
    "f() { for p in \(list(programs)); do command -v \"$p\" >/dev/null 2>&1"
      + " && \"$p\" git textconv \"$1\" && return; done; cat \"$1\"; }; f"
  }

  /// Words that a shell takes as they are.
  private func list(_ words: [String]) -> String { words.map(Self.quoted).joined(separator: " ") }

  static func quoted(_ word: String) -> String {
    "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// The lines of a hook, for a library in a folder of the working tree (empty for its top).
  ///
  /// Without the library or the program they do nothing.
  func hook(_ hook: GitSetup.Hook, library folder: String) -> [String] {
    let place = folder.isEmpty ? "." : folder
    let call =
      switch hook {
      case .preCommit: "check --staged --quiet </dev/null || exit $?"
      case .postMerge, .postCheckout: "git hook \(hook.rawValue) \"$@\" </dev/null || :"
      }
    let lookups = hookPrograms.map { "command -v \(Self.quoted($0))" }.joined(separator: " || ")
    return [
      "# `stories git setup --remove` takes these lines out again.",
      "if test -f \(Self.quoted(Path.join(place, "library.json"))) && stories=$(\(lookups)); then",
      "  \"$stories\" -C \(Self.quoted(place)) \(call)",
      "fi",
    ]
  }
}
