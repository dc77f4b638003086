import Foundation

/// A new folder of this test's own, its path without links.
func temporaryFolder() throws -> String {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "stories-tests-\(UUID().uuidString)")
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
