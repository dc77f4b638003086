#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// RIFF WAVE files with PCM samples of 16 bits and one channel.
enum WaveFile {
  /// The header of a file with so many samples.
  static func header(samples: Int, rate: Int) -> [UInt8] {
    func long(_ value: Int) -> [UInt8] {
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { Array($0) }
    }
    func short(_ value: Int) -> [UInt8] {
      withUnsafeBytes(of: UInt16(truncatingIfNeeded: value).littleEndian) { Array($0) }
    }
    let bytes = samples * 2
    var header = Array("RIFF".utf8) + long(36 + bytes) + Array("WAVEfmt ".utf8) + long(16)
    // PCM, one channel, and what follows from the rate.
    header += short(1) + short(1) + long(rate) + long(rate * 2) + short(2) + short(16)
    return header + Array("data".utf8) + long(bytes)
  }

  /// How long a file plays; `nil` where it is none of this form.
  ///
  /// A program that could not seek back leaves a length that is too large: the file's own counts.
  static func seconds(path: String) -> Double? {
    guard let file = MediaFile(path: path) else { return nil }
    var head = [UInt8](repeating: 0, count: 4096)
    let count = head.withUnsafeMutableBytes { file.read(into: $0, at: 0) }
    guard count >= 44, head.starts(with: "RIFF".utf8), head[8..<12].elementsEqual("WAVE".utf8)
    else { return nil }
    func long(_ place: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(head[place + $1]) << (8 * $1) }
    }
    var place = 12
    var bytesPerSecond = 0
    while place + 8 <= count {
      let length = long(place + 4)
      if head[place..<place + 4].elementsEqual("fmt ".utf8), place + 20 <= count {
        bytesPerSecond = long(place + 16)
      }
      if head[place..<place + 4].elementsEqual("data".utf8) {
        let bytes = min(length, file.size - place - 8)
        return bytesPerSecond > 0 && bytes > 0 ? Double(bytes) / Double(bytesPerSecond) : nil
      }
      place += 8 + length + length % 2
    }
    return nil
  }
}
