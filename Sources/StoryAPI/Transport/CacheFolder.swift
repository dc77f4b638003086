import Foundation
import JSONText
import StoryLibrary

/// The part of a ``ResponseCache`` on disk: a folder per account and a file per response. Names are
/// digests; a file contains its key, which is checked when it is read.
struct CacheFolder {
  let path: ConfinedPath
  let limit: Int

  typealias Key = ResponseCache.Key
  typealias Entry = ResponseCache.Entry

  static func bytes(of entry: Entry, for key: Key) -> [UInt8] {
    var document: JSONObject = [
      "version": 1, "origin": .string(key.origin), "account": .string(key.account),
      "target": .string(key.target), "storedAt": .string(entry.storedAt.wire),
    ]
    if let tag = entry.tag { document["tag"] = .string(tag) }
    document["value"] = entry.value
    return JSONValue.object(document).compactBytes
  }

  func read(_ key: Key) -> (Entry, size: Int)? {
    let file = file(key)
    guard let bytes = try? FileSystem.read(file, limit: limit) else { return nil }
    guard let document = try? JSONValue(parsing: bytes),
      document["version"]?.integer == 1, document["origin"] == .string(key.origin),
      document["account"] == .string(key.account), document["target"] == .string(key.target),
      let date = document["storedAt"]?.string.flatMap({ ServerDate($0) }),
      let value = document["value"]
    else {
      remove(key)
      return nil
    }
    // The time of the last use determines when the file is removed.
    try? FileSystem.setModified(file, Self.now())
    return (Entry(value: value, tag: document["tag"]?.string, storedAt: date), bytes.count)
  }

  /// Writes a file and makes room for it. Errors are ignored, because a cache may lose anything.
  func write(_ bytes: [UInt8], for key: Key) {
    guard (try? FileSystem.makeFolder(folder(key.account), mode: 0o700)) != nil,
      (try? AtomicFile.write(bytes, to: file(key), mode: 0o600, isFlushed: false)) != nil
    else { return }
    makeRoom()
  }

  func remove(_ key: Key) { try? FileSystem.remove(file(key)) }

  func removeAll(account: String) { try? FileSystem.removeTree(folder(account)) }

  /// Removes the responses of one server, and invalid files.
  func removeAll(origin: String) {
    for (file, _, _) in files() {
      let document = (try? FileSystem.read(file, limit: limit)).flatMap {
        try? JSONValue(parsing: $0)
      }
      if document?["origin"]?.string ?? origin == origin { try? FileSystem.remove(file) }
    }
  }

  /// Removes the least recently used files until the rest is within the limit.
  private func makeRoom() {
    let files = files()
    var size = files.reduce(0) { $0 + $1.size }
    guard size > limit else { return }
    for file in files.sorted(by: { $0.used < $1.used }) where size > limit {
      try? FileSystem.remove(file.path)
      size -= file.size
    }
  }

  /// Returns all files with their sizes and times of last use.
  private func files() -> [(path: ConfinedPath, size: Int, used: Int)] {
    entries(of: path, .folder).flatMap { entries(of: $0, .regular) }.compactMap { file in
      (try? FileSystem.status(file)).map { (file, $0.size, $0.modified) }
    }
  }

  private func entries(
    of folder: ConfinedPath, _ type: FileSystem.FileType
  ) -> [ConfinedPath] {
    let entries = (try? FileSystem.list(folder)) ?? []
    return entries.filter { $0.type == type }.map { Path.join(folder, $0.name) }
  }

  /// Returns nanoseconds since 1970 by this machine's clock, as in file times.
  private static func now() -> Int { Int(Date().timeIntervalSince1970 * 1_000_000_000) }

  private func folder(_ account: String) -> ConfinedPath {
    Path.join(path, Self.digest(account))
  }

  private func file(_ key: Key) -> ConfinedPath {
    Path.join(folder(key.account), "\(Self.digest(key.origin + " " + key.target)).json")
  }

  /// Returns a digest, which makes a short name from any id or URL. Digests can collide, so files
  /// contain their keys.
  private static func digest(_ text: String) -> String { ContentDigest(text.utf8).description }
}
