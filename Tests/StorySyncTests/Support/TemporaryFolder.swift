import Foundation

/// A new folder of this test's own, its path without links; in memory where the system has such a
/// place, for these tests make and flush some hundred thousand files.
func temporaryFolder() throws -> String {
  let memory = "/dev/shm"
  let parent =
    FileManager.default.isWritableFile(atPath: memory)
    ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
  let folder = parent.appendingPathComponent("stories-tests-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder.resolvingSymlinksInPath().path
}

/// The first place of `piece` in `text`.
func firstRange(of piece: String, in text: String) -> Range<String.Index>? {
  text.range(of: piece)
}

extension String {
  func replacingCharacters(in range: Range<String.Index>, with new: String) -> String {
    var copy = self
    copy.replaceSubrange(range, with: new)
    return copy
  }
}
