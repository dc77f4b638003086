#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A record's id: opaque text, compared byte by byte.
///
/// `String` compares by canonical equivalence, which would make some different ids equal.
struct RecordID: Hashable, Comparable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (lhs: RecordID, rhs: RecordID) -> Bool { lhs.compare(with: rhs) == 0 }

  static func < (lhs: RecordID, rhs: RecordID) -> Bool { lhs.compare(with: rhs) < 0 }

  /// Returns a value below, equal to or above zero, comparing UTF-8 bytes.
  private func compare(with other: RecordID) -> Int {
    var (left, right) = (text, other.text)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        let shorter = min(left.count, right.count)
        guard shorter > 0, let start = left.baseAddress, let other = right.baseAddress else {
          return left.count - right.count
        }
        let order = Int(memcmp(start, other, shorter))
        return order != 0 ? order : left.count - right.count
      }
    }
  }

  func hash(into hasher: inout Hasher) {
    var copy = text
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
