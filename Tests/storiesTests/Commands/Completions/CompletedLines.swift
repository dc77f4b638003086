import StoryLibrary
import TestSupport

/// Lines that every shell completes in the same way, and where it does so.
enum CompletedLines {
  /// What was typed, and the line that stands there after the tabulator key.
  static let all = [
    ("stories whoa", "stories whoami "), ("stories sync --strat", "stories sync --strategy "),
    ("stories sync --strategy=loc", "stories sync --strategy=local "),
    ("stories show heroes/lu", "stories show heroes/luna "),
    ("stories -C heroes show stories/", "stories -C heroes show stories/2026/first-snow "),
    ("stories -C sto", "stories -C stories/"), ("stories --set ret", "stories --set retry="),
  ]

  /// Surroundings in which `stories` is the program that was built, and nobody's settings are read.
  static func environment(_ library: SampleLibrary) -> [String: String] {
    [
      "HOME": library.folder.path, "ZDOTDIR": library.folder.path, "INPUTRC": "/dev/null",
      "PATH": "\(Path.parent(BuiltProgram.path)):/usr/bin:/bin", "TERM": "dumb",
      "LC_ALL": "C.UTF-8", "COLUMNS": "200",
    ]
  }
}
