/// Bytes and numbers in hexadecimal digits, written in lower case and read in either.
package enum Hexadecimal {
  /// Returns two digits for each byte.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 0x30 : value - 10 + 0x61 }
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.underestimatedCount)
    for byte in bytes {
      text.append(digit(byte >> 4))
      text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns all digits of a number, such as 16 for 64 bits, the most significant first.
  package static func text(_ number: some FixedWidthInteger) -> String {
    withUnsafeBytes(of: number.bigEndian) { text($0) }
  }

  /// Returns the value of a digit, or `nil` for another byte.
  package static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x61...0x66: byte - 0x61 + 10
    case 0x41...0x46: byte - 0x41 + 10
    default: nil
    }
  }

  /// Returns the number that up to 16 digits stand for, or `nil` for anything else.
  package static func word(_ digits: some Collection<UInt8>) -> UInt64? {
    guard (1...16).contains(digits.count) else { return nil }
    var value: UInt64 = 0
    for byte in digits {
      guard let digit = digit(byte) else { return nil }
      value = value << 4 | UInt64(digit)
    }
    return value
  }

  /// Returns the bytes that ``text(_:)`` wrote, or `nil` for anything else.
  package static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap(digit)
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

/// The one source of random names and keys.
package enum RandomKey {
  /// Returns 64 random bits of the system's generator for each word, in hexadecimal digits.
  ///
  /// - Parameters:
  ///   - words: the number of words; two are enough for a name that nothing else has.
  ///   - random: another source of bits.
  package static func make(
    words: Int = 2, random: () -> UInt64 = { UInt64.random(in: 0 ... .max) }
  ) -> String {
    (0..<words).map { _ in Hexadecimal.text(random()) }.joined()
  }
}
