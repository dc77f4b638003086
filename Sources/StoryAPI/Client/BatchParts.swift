import JSONText

extension ServerInfo {
  /// Returns the writes in parts that are sent as one batch each, or `nil` if each is sent alone.
  ///
  /// On a server without preconditions a change is always sent alone, for its record is read just
  /// before.
  package func batches(of writes: [RemoteWrite]) -> [[RemoteWrite]]? {
    guard features.contains(.batch), writes.count > 1 else { return nil }
    let areNew = writes.allSatisfy { $0.operation == .create }
    guard dialect.takesMixedBatches else { return areNew ? [writes] : nil }
    guard areNew || features.contains(.etag) else { return nil }
    return BatchParts.split(writes, limit: batchLimit)
  }
}

/// Parts many writes into bodies that a server takes.
enum BatchParts {
  /// The most bytes of writes in one body; servers refuse more than 8 MiB, and smaller bodies cost
  /// less when a connection breaks.
  static let maximumBytes = 4 << 20

  /// The writes in order, at most `limit` and ``maximumBytes`` in a part; a write that is larger
  /// by itself stands alone.
  static func split(_ writes: [RemoteWrite], limit: Int) -> [[RemoteWrite]] {
    var parts: [[RemoteWrite]] = []
    var size = 0
    for write in writes {
      let bytes = Self.size(of: .object(write.body)) + 300
      if let last = parts.indices.last, parts[last].count < limit, size + bytes <= maximumBytes {
        parts[last].append(write)
        size += bytes
      } else {
        parts.append([write])
        size = bytes
      }
    }
    return parts
  }

  /// About how many bytes a value takes: escapes are not counted.
  private static func size(of value: JSONValue) -> Int {
    switch value {
    case .null, .bool: 5
    case .number(let number): number.literal.utf8.count
    case .string(let string): string.utf8.count + 3
    case .array(let elements): elements.reduce(2) { $0 + size(of: $1) }
    case .object(let object):
      object.members.reduce(2) { $0 + $1.key.utf8.count + 4 + size(of: $1.value) }
    }
  }
}
