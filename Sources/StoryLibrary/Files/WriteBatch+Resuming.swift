extension WriteBatch {
  /// How far an interrupted commit came with a pair.
  package enum Progress: Sendable {
    /// The record had its new content, and now the sidecar is in place as well.
    case finished
    /// The record never got its new content.
    case untouched
    /// The temporary files are gone, so nothing tells.
    case unknown
  }

  /// Finishes a pair of which an interrupted commit renamed the record but not yet the sidecar.
  ///
  /// The temporary files tell, so it does not matter what the record holds by now: once ``flush()`` is
  /// done both are there, and the record's is the first to go, or to hold what was replaced. To be
  /// called before temporary files are cleared away.
  /// - Parameters:
  ///   - record: the record's path.
  ///   - before: the digest of what the record replaced; `nil` if nothing was there.
  ///   - after: the digest of what the record was to hold.
  ///   - sidecar: the sidecar's path and content.
  /// - Throws: `FileError`.
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
        // What an editor saved at that moment goes back to its place, and the new content with it.
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
