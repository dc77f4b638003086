import StoryLibrary

/// The digest of a file that is read or made in parts, however it is divided.
struct PartsDigest {
  private var parts: [UInt8] = []
  private var rest: [UInt8] = []

  mutating func add(_ bytes: [UInt8]) {
    rest += bytes
    var start = 0
    while rest.count - start >= FileSystem.chunkSize {
      parts += ContentDigest(rest[start..<start + FileSystem.chunkSize]).description.utf8
      start += FileSystem.chunkSize
    }
    rest.removeFirst(start)
  }

  var value: ContentDigest {
    ContentDigest(rest.isEmpty ? parts : parts + ContentDigest(rest).description.utf8)
  }

  static func of(_ bytes: [UInt8]) -> ContentDigest {
    var digest = PartsDigest()
    digest.add(bytes)
    return digest.value
  }
}
