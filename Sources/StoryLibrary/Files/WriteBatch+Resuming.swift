extension WriteBatch {
  /// The state in which an interrupted commit left a pair.
  package enum Progress: Sendable {
    /// The record already had its new content, and now the sidecar is in place too.
    case finished
    /// The record never got its new content.
    case untouched
    /// Unknown, because the temporary files are missing.
    case unknown
  }

  /// Finishes a pair whose record was renamed by an interrupted commit, but not its sidecar.
  ///
  /// This depends only on the temporary files, not on the record's current content: once
  /// ``flush()`` is done both exist, and the record's is the first to disappear or to receive the
  /// replaced content. Must be called before stale temporary files are settled.
  /// - Parameters:
  ///   - record: The record's path.
  ///   - before: The digest of the content that the record replaced, or `nil` if there was none.
  ///   - after: The digest of the record's new content.
  ///   - sidecar: The sidecar's path and content.
  package static func resume(
    record: ConfinedPath, from before: ContentDigest?, to after: ContentDigest,
    sidecar: (path: ConfinedPath, bytes: [UInt8])
  ) throws(FileError) -> Progress {
    let digest = ContentDigest(sidecar.bytes)
    let replacedName = try TemporaryName(new: after, old: before, for: record.text).text
    let stagedName = try TemporaryName(new: digest, old: nil, for: sidecar.path.text).text
    let place: LocatedFile
    do throws(FileError) {
      let replaced = try record.located().sibling(replacedName)
      if FileSystem.exists(replaced) {
        // An edit that was saved at that moment is restored, which undoes the new content.
        let old = (try? FileSystem.read(replaced)).map { ContentDigest($0) }
        guard let before, old == before else { return .untouched }
      }
      place = try sidecar.path.located()
    } catch {
      guard error.isMissing else { throw error }
      return .unknown
    }
    let staged = place.sibling(stagedName)
    guard let bytes = try? FileSystem.read(staged), ContentDigest(bytes) == digest else {
      return .unknown
    }
    try FileSystem.rename(staged, to: place)
    try FileSystem.flushFolder(above: place)
    return .finished
  }
}
