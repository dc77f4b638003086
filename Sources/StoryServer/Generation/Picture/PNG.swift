/// Writes PNG files (ISO/IEC 15948): 8 bits a channel, red, green, blue.
enum PNG {
  /// - Parameter rows: the pixels from the left to the right and from above, three bytes each.
  static func bytes(width: Int, height: Int, rows: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    append("IHDR", number(width) + number(height) + [8, 2, 0, 0, 0], to: &bytes)
    append("IDAT", Deflate.zlib(filtered(rows, width: width, height: height)), to: &bytes)
    append("IEND", [], to: &bytes)
    return bytes
  }

  /// Each row with the filter that leaves the smallest numbers (section 12.7): what it differs by
  /// from the row above, from the pixel on the left, or from both together.
  private static func filtered(_ rows: [UInt8], width: Int, height: Int) -> [UInt8] {
    let length = width * 3
    var result: [UInt8] = []
    result.reserveCapacity((length + 1) * height)
    let zeros = [UInt8](repeating: 0, count: length)
    var candidates = (0..<3).map { _ in zeros }
    rows.withUnsafeBufferPointer { rows in
      for row in 0..<height {
        let start = row * length
        var sums = [0, 0, 0]
        for filter in 0..<3 {
          var sum = 0
          candidates[filter].withUnsafeMutableBufferPointer { candidate in
            for index in 0..<length {
              let left = index >= 3 ? rows[start + index - 3] : 0
              let above = row > 0 ? rows[start + index - length] : 0
              let value = rows[start + index]
              let difference =
                switch filter {
                case 0: value &- left
                case 1: value &- above
                default:
                  value
                    &- paeth(
                      left, above, index >= 3 && row > 0 ? rows[start + index - length - 3] : 0)
                }
              candidate[index] = difference
              sum += Int(Int8(bitPattern: difference).magnitude)
            }
          }
          sums[filter] = sum
        }
        let best = sums.indices.min { sums[$0] < sums[$1] } ?? 0
        result.append([1, 2, 4][best])
        result += candidates[best]
      }
    }
    return result
  }

  /// Section 9.4: the neighbour that is nearest to left + above − corner.
  private static func paeth(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
    let (a, b, c) = (Int(left), Int(above), Int(corner))
    let (toLeft, toAbove, toCorner) = (abs(b - c), abs(a - c), abs(a + b - 2 * c))
    if toLeft <= toAbove, toLeft <= toCorner { return left }
    return toAbove <= toCorner ? above : corner
  }

  private static func number(_ value: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(value).bigEndian) { Array($0) }
  }

  private static func append(_ type: String, _ data: [UInt8], to bytes: inout [UInt8]) {
    bytes += number(data.count)
    let content = Array(type.utf8) + data
    bytes += content
    bytes += number(Int(content.withUnsafeBytes { CRC32.checksum($0) }))
  }
}
