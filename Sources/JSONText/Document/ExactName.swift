/// A dictionary key that is compared by Unicode scalars.
///
/// As `String` keys, a composed and a decomposed `é` would be the same.
package struct ExactName: Hashable {
  package let string: String

  package init(_ string: String) { self.string = string }

  package static func == (lhs: ExactName, rhs: ExactName) -> Bool {
    sameScalars(lhs.string, rhs.string)
  }

  package func hash(into hasher: inout Hasher) { hashScalars(string, into: &hasher) }

  /// Returns the index of the first occurrence of each name.
  static func ranks(of names: [String]) -> [ExactName: Int] {
    Dictionary(
      names.enumerated().map { (ExactName($1), $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// Returns whether two strings have the same Unicode scalars; `==` on `String` normalizes.
func sameScalars(_ lhs: String, _ rhs: String) -> Bool {
  let (left, right) = (lhs.utf8, rhs.utf8)
  guard left.count == right.count else { return false }
  let fast = left.withContiguousStorageIfAvailable { left in
    right.withContiguousStorageIfAvailable { right in sameBytes(left, right) }
  }
  return (fast ?? nil) ?? left.elementsEqual(right)
}

/// Hashes a string's scalars without normalization.
func hashScalars(_ string: String, into hasher: inout Hasher) {
  var copy = string
  copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  // No string contains this byte, so it separates adjacent ones.
  hasher.combine(UInt8(0xFF))
}

/// Returns whether two buffers have the same bytes.
@inline(__always)
func sameBytes(_ lhs: UnsafeBufferPointer<UInt8>, _ rhs: UnsafeBufferPointer<UInt8>) -> Bool {
  guard lhs.count == rhs.count else { return false }
  var index = 0
  if let left = UnsafeRawPointer(lhs.baseAddress), let right = UnsafeRawPointer(rhs.baseAddress) {
    while index + 8 <= lhs.count {
      let (leftWord, rightWord) = (left + index, right + index)
      if leftWord.loadUnaligned(as: UInt64.self) != rightWord.loadUnaligned(as: UInt64.self) {
        return false
      }
      index += 8
    }
  }
  while index < lhs.count {
    if lhs[index] != rhs[index] { return false }
    index += 1
  }
  return true
}
