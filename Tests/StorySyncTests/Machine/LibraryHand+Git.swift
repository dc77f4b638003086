import JSONText
import StoryAPI
import StoryLibrary
import StorySync

/// What somebody does with git.
extension LibraryHand {
  /// All pairs as they are.
  func commit() throws -> [String: Pair] {
    var tree: [String: Pair] = [:]
    for (path, bytes) in try library.tracked() where path != LibraryConfiguration.fileName {
      let text = String(decoding: bytes, as: UTF8.self)
      if let record = Self.recordPath(ofSidecar: path) {
        tree[record, default: Pair()].sidecar = text
      } else {
        tree[path, default: Pair()].record = text
      }
    }
    return tree
  }

  private static func recordPath(ofSidecar path: String) -> String? {
    guard let range = firstRange(of: "/.sync/", in: path) else { return nil }
    return path.replacingCharacters(in: range, with: "/")
  }

  /// Brings one pair to an older state, or to that of another clone.
  func checkOut(_ path: String, _ pair: Pair, _ what: String) throws {
    let sidecarPath = Self.sidecarPath(path)
    let before = text(path)
    note("\(what) \(path)")
    for text in [before, pair.record] { ledger.makeUncertain(text ?? "") }
    if let record = pair.record {
      // What was moved away meanwhile is there twice now.
      if pair.sidecar == nil || before == nil { ledger.allowCopy(of: record) }
      try library.write(path, record)
    } else if before != nil {
      try library.remove(path)
    }
    // Nothing is born by a text that comes back, and what it replaces was given up.
    ledger.replace(before, by: pair.record)
    if let sidecar = pair.sidecar {
      try library.write(sidecarPath, sidecar)
    } else if library.exists(sidecarPath) {
      try library.remove(sidecarPath)
    }
  }

  /// The ids in the sidecars, with their records' paths.
  func ids() throws -> [String: String] {
    var ids: [String: String] = [:]
    for (path, pair) in try commit() {
      if let id = Self.id(pair) { ids[id] = path }
    }
    return ids
  }

  static func id(_ pair: Pair) -> String? {
    pair.sidecar.flatMap { try? JSONValue(parsing: Array($0.utf8)) }?["id"]?.string
  }
}
