import JSONText

extension ServerInfo {
  /// Returns the writes in parts to send as batches, or `nil` if each is sent alone.
  ///
  /// Without preconditions on the server, changes are sent alone: each record is read just before.
  package func batches(of writes: [RemoteWrite]) -> [[RemoteWrite]]? {
    guard features.contains(.batch), writes.count > 1 else { return nil }
    let areNew = writes.allSatisfy { $0.operation == .create }
    guard dialect.takesMixedBatches else { return areNew ? [writes] : nil }
    guard areNew || features.contains(.etag) else { return nil }
    return BatchParts.split(writes, limit: batchLimit)
  }
}

/// Divides many writes into bodies that a server accepts.
enum BatchParts {
  /// The maximum size of the writes in one body. Servers refuse more than 8 MiB, and smaller bodies
  /// cost less when a connection breaks.
  static let maximumBytes = 4 << 20

  /// Returns the writes in order, at most `limit` and ``maximumBytes`` per part. A larger write is
  /// alone.
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
