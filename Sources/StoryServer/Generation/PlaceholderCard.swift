import StoryLibrary

/// A plain card as a PNG file (ISO/IEC 15948): one colour and a frame.
enum PlaceholderCard {
  private static let width = 480
  private static let height = 320

  static func png(seed: UInt64) -> [UInt8] {
    let colours: [[UInt8]] = [
      [0xDD, 0xE6, 0xED], [0xE9, 0xE2, 0xD3], [0xDF, 0xE9, 0xDA], [0xEC, 0xDD, 0xDE],
    ]
    let paper = colours[Int(seed % UInt64(colours.count))]
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    // One bit per pixel, with a palette of two colours.
    append("IHDR", number(width) + number(height) + [1, 3, 0, 0, 0], to: &file)
    append("PLTE", paper + paper.map { $0 / 2 }, to: &file)
    append("IDAT", stored(rows()), to: &file)
    append("IEND", [], to: &file)
    return file
  }

  /// Returns the rows, each preceded by its filter type.
  private static func rows() -> [UInt8] {
    let bytes = width / 8
    var rows: [UInt8] = []
    for row in 0..<height {
      let edge = min(row, height - 1 - row)
      var line = [UInt8](repeating: edge == 16 || edge == 17 ? 0xFF : 0, count: bytes)
      // The frame is two pixels wide and two bytes from the edge.
      for place in [0, 1, bytes - 2, bytes - 1] { line[place] = 0 }
      if edge > 17 { (line[2], line[bytes - 3]) = (0xC0, 0x03) }
      rows += [0] + line
    }
    return rows
  }

  /// Wraps bytes in an uncompressed zlib stream (RFC 1950; RFC 1951, section 3.2.4).
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    // A block holds up to 65,535 bytes, which is enough.
    let count = UInt16(bytes.count)
    let (low, high) = bytes.reduce((UInt32(1), UInt32(0))) { sums, byte in
      let low = (sums.0 + UInt32(byte)) % 65521
      return (low, (sums.1 + low) % 65521)
    }
    func little(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
    return [0x78, 0x01, 1] + little(count) + little(~count) + bytes + number(Int(high << 16 | low))
  }

  private static func number(_ value: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(value).bigEndian) { Array($0) }
  }

  private static func append(_ type: String, _ data: [UInt8], to file: inout [UInt8]) {
    let content = Array(type.utf8) + data
    file += number(data.count) + content
    file += number(Int(content.withUnsafeBytes { CRC32.sum($0) }))
  }
}
