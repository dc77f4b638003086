import StoryLibrary

/// What git says about files that are not there.
extension GitRepository {
  /// Of `paths`, relative to the library's root, those that git has in `HEAD` or in its index. If git
  /// does not answer, none.
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

  /// Of `paths`, relative to the library's root, those that git took away: some commit has them, and
  /// neither `HEAD` nor the index does. If git does not answer, none.
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
