import StoryLibrary

/// Git's evidence about missing files.
extension GitRepository {
  /// Returns those of `paths`, relative to the library's root, that are in git's `HEAD` or index;
  /// none if git does not answer.
  func tracked(_ paths: [String]) -> Set<String> {
    let input = paths.map { "HEAD:./\($0)\n:./\($0)\n" }.joined()
    guard !paths.isEmpty,
      let output = try? answer(
        .catFile, ["--batch-check=%(objecttype)"], input: Array(input.utf8))
    else { return [] }
    let lines = output.split(separator: 0x0A)
    guard lines.count == 2 * paths.count else { return [] }
    return Set(
      paths.indices.filter { place in
        lines[2 * place..<2 * place + 2].contains { $0.elementsEqual("blob".utf8) }
      }.map { paths[$0] })
  }

  /// Returns those of `paths`, relative to the library's root, that git removed: some commit has
  /// them, but neither `HEAD` nor the index. None if git does not answer.
  func takenAway(_ paths: [String]) -> Set<String> {
    let gone = Set(paths).subtracting(tracked(paths))
    let input = "--\n" + gone.sorted().map { ":(literal)\($0)\n" }.joined()
    guard !gone.isEmpty,
      let commits = try? answer(
        .listRevisions, ["--all", "--reflog", "--full-history", "--stdin"],
        input: Array(input.utf8)),
      let added = try? answer(
        .diffTree,
        [
          "--stdin", "-r", "--root", "-m", "--no-renames", "--diff-filter=A", "--name-only",
          "--no-commit-id", "-z", "--relative",
        ], input: commits)
    else { return [] }
    return gone.intersection(
      added.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
  }
}
