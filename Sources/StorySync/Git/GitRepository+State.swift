import StoryLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension GitRepository {
  /// Returns whether git tracks anything of this machine's own state, without starting git unless its
  /// index is of a form that keeps no whole paths, or names something like `.stories/`.
  ///
  /// Where git has to be asked and does not answer, the state counts as tracked.
  public var mayTrackState: Bool {
    guard let prefix = Path.relative(root, to: top) else { return false }
    let name = Path.join(prefix, Library.stateFolderName) + "/"
    guard indexMentions(Array(name.utf8)) else { return false }
    return (try? tracksState()) ?? true
  }

  /// Returns whether git's index holds these bytes, or is of a form in which they would not be found.
  ///
  /// Versions 2 and 3 hold each path as a whole (gitformat-index(5)); version 4 leaves out what a path
  /// shares with the one before it, and a split index has others in a second file.
  private func indexMentions(_ path: [UInt8]) -> Bool {
    guard let index = gitFolder.map({ Path.join($0, "index") }), FileSystem.exists(index)
    else { return false }
    guard let bytes = try? FileSystem.read(index, limit: 1 << 30) else { return true }
    // Git reads no other file either.
    guard bytes.count > 12, bytes.starts(with: "DIRC".utf8) else { return false }
    guard bytes[4..<7].allSatisfy({ $0 == 0 }), bytes[7] == 2 || bytes[7] == 3 else { return true }
    return Self.contains(bytes, path) || Self.contains(bytes, Array("link".utf8))
  }

  private static func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      wanted.withUnsafeBytes { wanted in
        guard var start = bytes.baseAddress, let first = wanted.first,
          let other = wanted.baseAddress
        else { return false }
        let end = start + bytes.count
        while start.distance(to: end) >= wanted.count,
          let found = memchr(start, Int32(first), start.distance(to: end) - wanted.count + 1)
        {
          if memcmp(found, other, wanted.count) == 0 { return true }
          start = UnsafeRawPointer(found) + 1
        }
        return false
      }
    }
  }
}
