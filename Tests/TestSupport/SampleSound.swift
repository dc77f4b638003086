/// Files with silence in them.
package enum SampleSound {
  /// WAV with so many bytes of samples, 2,048 of which are a second.
  package static func wav(_ count: Int = 1024) -> [UInt8] {
    func long(_ value: Int) -> [UInt8] {
      withUnsafeBytes(of: UInt32(value).littleEndian) { Array($0) }
    }
    return Array("RIFF".utf8) + long(36 + count) + Array("WAVEfmt ".utf8)
      + [16, 0, 0, 0, 1, 0, 1, 0, 0, 4, 0, 0, 0, 8, 0, 0, 2, 0, 16, 0] + Array("data".utf8)
      + long(count) + [UInt8](repeating: 0, count: count)
  }

  /// MP3 of so many frames, each of which plays for 1,152 of 44,100 parts of a second.
  package static func mp3(frames: Int) -> [UInt8] {
    let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
    return (0..<frames).flatMap { _ in frame }
  }
}
