import StoryLibrary

extension GitRepository {
  /// Returns whether git may track `.stories`. Starts git only if its index contains such a path or
  /// has a format without whole paths.
  ///
  /// If git has to be asked and does not answer, the state counts as tracked.
  public var mayTrackState: Bool {
    guard let prefix = Path.relative(root, to: top) else { return false }
    let name = Path.join(prefix, Library.stateFolderName) + "/"
    guard indexMentions(Array(name.utf8)) else { return false }
    return (try? tracksState()) ?? true
  }

  /// Git's index as it is now, and its lock while git is changing it and the working tree.
  struct IndexState: Equatable {
    var index: FileSystem.Status?
    /// The path of the lock that git holds, or `nil` while git is at rest.
    var lock: String?
  }

  var indexState: IndexState {
    guard let folder = gitFolder else { return IndexState() }
    let (index, lock) = (Path.join(folder, "index"), Path.join(folder, "index.lock"))
    return IndexState(
      index: (try? FileSystem.status(index)) ?? nil, lock: FileSystem.exists(lock) ? lock : nil)
  }

  /// Returns whether git's index has a path with this prefix, or has a format that cannot tell.
  private func indexMentions(_ start: [UInt8]) -> Bool {
    guard let index = gitFolder.map({ Path.join($0, "index") }), FileSystem.exists(index)
    else { return false }
    guard let bytes = try? FileSystem.read(index, limit: 1 << 30) else { return true }
    // Git reads no other file either.
    guard bytes.count > 12 + Self.sumSize, bytes.starts(with: "DIRC".utf8) else { return false }
    return bytes.withUnsafeBytes { Self.mentions(start, in: $0) ?? true }
  }

  /// The size of the SHA-1 at the end of an index.
  private static let sumSize = 20

  /// Returns whether an index has a path with this prefix (gitformat-index(5)).
  ///
  /// Returns `nil` for formats other than versions 2 and 3 with SHA-1: version 4 omits the prefix
  /// that a path shares with the one before it, a split index has paths in a second file, a sparse
  /// one has whole folders as one entry, and another hash shifts all offsets.
  private static func mentions(_ start: [UInt8], in index: UnsafeRawBufferPointer) -> Bool? {
    let end = index.count - sumSize
    func number<Number: FixedWidthInteger>(_: Number.Type, at place: Int) -> Int {
      Int(Number(bigEndian: index.loadUnaligned(fromByteOffset: place, as: Number.self)))
    }
    guard (2...3).contains(number(UInt32.self, at: 4)) else { return nil }
    var place = 12
    for _ in 0..<number(UInt32.self, at: 8) {
      guard place + 64 < end else { return nil }
      let flags = number(UInt16.self, at: place + 60)
      let path = place + (flags & 0x4000 == 0 ? 62 : 64)
      // The largest length value also means all longer ones.
      let shortest = flags & 0xFFF
      guard path + shortest < end,
        let length = index[(path + shortest)..<end].firstIndex(of: 0).map({ $0 - path }),
        length == shortest || shortest == 0xFFF
      else { return nil }
      if index[path..<path + length].starts(with: start) { return true }
      // One to eight zeros end an entry, so that its size is a multiple of eight.
      place += (path + length - place + 8) / 8 * 8
    }
    while place < end {
      guard place + 8 <= end else { return nil }
      let name = index[place..<place + 4]
      if name.elementsEqual("link".utf8) || name.elementsEqual("sdir".utf8) { return nil }
      place += 8 + number(UInt32.self, at: place + 4)
    }
    return place == end ? false : nil
  }
}
