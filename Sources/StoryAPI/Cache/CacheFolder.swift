import Foundation
import JSONText

/// The part of a ``ResponseCache`` that is on disk: a folder for each account, a file for each
/// answer. Names are digests; what a file is for stands in it and is checked when it is read.
struct CacheFolder {
  let path: String
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
    guard let data = FileManager.default.contents(atPath: file) else { return nil }
    guard let document = try? JSONValue(parsing: Array(data)),
      document["version"]?.integer == 1, document["origin"] == .string(key.origin),
      document["account"] == .string(key.account), document["target"] == .string(key.target),
      let date = document["storedAt"]?.string.flatMap({ ServerDate($0) }),
      let value = document["value"]
    else {
      remove(key)
      return nil
    }
    // The time of last use is what decides when the file goes.
    try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file)
    return (Entry(value: value, tag: document["tag"]?.string, storedAt: date), data.count)
  }

  /// Writes a file and makes room for it. A cache may lose anything, so no failure is told.
  func write(_ bytes: [UInt8], for key: Key) {
    let file = file(key)
    let manager = FileManager.default
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try? manager.createDirectory(
      atPath: folder(key.account), withIntermediateDirectories: true, attributes: attributes)
    let temporary = "\(file).\(UInt32.random(in: 0 ... .max)).tmp"
    guard
      manager.createFile(
        atPath: temporary, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
    else { return }
    if rename(temporary, file) != 0 { unlink(temporary) }
    makeRoom()
  }

  func remove(_ key: Key) { unlink(file(key)) }

  func removeAll(account: String) {
    try? FileManager.default.removeItem(atPath: folder(account))
  }

  /// Removes the answers of one server, and what cannot be understood.
  func removeAll(origin: String) {
    for (file, _, _) in files() {
      let document = FileManager.default.contents(atPath: file).flatMap {
        try? JSONValue(parsing: Array($0))
      }
      if document?["origin"]?.string ?? origin == origin { unlink(file) }
    }
  }

  /// Removes the files longest unused until the rest is within the limit.
  private func makeRoom() {
    let files = files()
    var size = files.reduce(0) { $0 + $1.size }
    guard size > limit else { return }
    for file in files.sorted(by: { $0.date < $1.date }) where size > limit {
      unlink(file.path)
      size -= file.size
    }
  }

  /// All files, with their bytes and the time of their last use.
  private func files() -> [(path: String, size: Int, date: Date)] {
    var files: [(path: String, size: Int, date: Date)] = []
    guard let names = FileManager.default.enumerator(atPath: path) else { return [] }
    for case let name as String in names {
      let file = "\(path)/\(name)"
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: file),
        attributes[.type] as? FileAttributeType == .typeRegular
      else { continue }
      files.append(
        (
          file, (attributes[.size] as? NSNumber)?.intValue ?? 0,
          attributes[.modificationDate] as? Date ?? .distantPast
        ))
    }
    return files
  }

  private func folder(_ account: String) -> String { "\(path)/\(Self.digest(account))" }

  private func file(_ key: Key) -> String {
    "\(folder(key.account))/\(Self.digest(key.origin + " " + key.target)).json"
  }

  /// FNV-1a with 64 bits: short names for whatever ids and URLs hold. Two keys may share one, so
  /// files say what they are for.
  private static func digest(_ text: String) -> String {
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
