/// The CRC-32 of ISO 3309, as in ZIP and PNG (polynomial 0x04C11DB7, reflected).
package struct CRC32 {
  private var state: UInt32 = .max

  package init() {}

  /// The sum of what was added.
  package var value: UInt32 { ~state }

  private static let table: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(UInt32(number)) { sum, _ in
      sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320
    }
  }

  /// Adds bytes.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var sum = state
    Self.table.withUnsafeBufferPointer { table in
      for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
    }
    state = sum
  }

  /// Returns the sum of bytes.
  package static func sum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var sum = CRC32()
    sum.add(bytes)
    return sum.value
  }
}
