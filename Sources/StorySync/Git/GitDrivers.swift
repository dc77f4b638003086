import StoryLibrary

/// Git's settings for our drivers: shell command lines, since git runs them with a shell.
///
/// In another clone a program may be missing or elsewhere; then the next one of the list is used,
/// and finally git's behavior without a driver.
public struct GitDrivers: Sendable {
  /// The programs to try, in order: names for `PATH`, or absolute paths.
  public var programs: [String]

  /// Creates drivers that call a program.
  ///
  /// - Parameters:
  ///   - program: this program's file, an absolute path without links.
  ///   - path: `PATH`, in which a program is found by name.
  public init(program: String, path: String) {
    let own = Self.word(for: program, path: path)
    programs = own == "stories" ? [own] : [own, "stories"]
  }

  /// Returns the name alone if `PATH` finds this file; it stays right when the program is updated.
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

  private func merge(_ command: String) -> String {
    // Git replaces %O and the like; older versions leave unknown ones as they are.
    "for p in \(list.replacing("%", with: "%%")); do"
      + " command -v \"$p\" >/dev/null 2>&1 || continue;"
      + " \"$p\" git \(command) %O %A %B %P %L %S %X %Y; s=$?; test $s -gt 1 || exit $s; done;"
      + " exec git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B"
  }

  private var textconv: String {
    "f() { for p in \(list); do command -v \"$p\" >/dev/null 2>&1"
      + " && \"$p\" git textconv \"$1\" && return; done; cat \"$1\"; }; f"
  }

  private var list: String { programs.map(ShellWord.quoted).joined(separator: " ") }

  /// Returns the lines of a hook for a library in a folder of the working tree (empty for its top).
  ///
  /// Without the library or the program they do nothing.
  func hook(_ hook: GitSetup.Hook, library folder: String) -> [String] {
    let place = folder.isEmpty ? "." : folder
    let call =
      switch hook {
      case .preCommit: "check --staged --quiet </dev/null || exit $?"
      case .postMerge, .postCheckout: "git hook \(hook.rawValue) \"$@\" </dev/null || :"
      }
    let lookups = programs.map { "command -v \(ShellWord.quoted($0))" }.joined(separator: " || ")
    return [
      "# `stories git setup --remove` takes these lines out again.",
      "if test -f \(ShellWord.quoted(Path.join(place, "library.json"))) && stories=$(\(lookups)); then",
      "  \"$stories\" -C \(ShellWord.quoted(place)) \(call)",
      "fi",
    ]
  }
}
