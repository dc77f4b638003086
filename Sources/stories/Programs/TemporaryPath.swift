import Foundation
import StoryLibrary

/// The paths of temporary folders.
enum TemporaryPath {
  /// Returns a path for a new folder: in the one that `TMPDIR` names, if it is there, else in `/tmp`. Nothing
  /// is created.
  static func make(_ use: String) -> String {
    let named = NSTemporaryDirectory()
    // An empty variable is the root to Foundation.
    let isUsable = named.contains { $0 != "/" } && (try? FileSystem.folderStatus(named)) != nil
    return Path.join(isUsable ? named : "/tmp", "stories-\(use)-\(RandomKey.make())")
  }
}
