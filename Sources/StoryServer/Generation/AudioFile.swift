/// The properties of an audio file: WAV with PCM (RIFF), or MP3 (ISO/IEC 11172-3, 13818-3).
public struct AudioFile: Sendable, Equatable {
  /// Whether the file is WAV. Otherwise it is MP3.
  public let isWAV: Bool
  /// The duration in seconds.
  public let seconds: Double
  /// The range of the sound: samples or frames.
  public let sound: Range<Int>

  /// Parses a file.
  ///
  /// - Parameter bytes: The file's content.
  /// - Returns: `nil` for any other format, and for a file without sound.
  public init?(_ bytes: [UInt8]) {
    if bytes.starts(with: "RIFF".utf8), bytes.count > 12, bytes[8..<12].elementsEqual("WAVE".utf8) {
      self.init(wav: bytes)
    } else {
      self.init(mp3: bytes)
    }
  }

  private init?(wav bytes: [UInt8]) {
    func number(_ place: Int, _ size: Int) -> Int {
      (0..<size).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    var place = 12
    var rate = 0
    while place + 8 <= bytes.count {
      let length = number(place + 4, 4)
      let name = bytes[place..<place + 4]
      if name.elementsEqual("fmt ".utf8), place + 20 <= bytes.count { rate = number(place + 16, 4) }
      if name.elementsEqual("data".utf8) {
        // A program that could not seek back writes a length that is too large, or 0. Use the
        // file's own.
        let rest = bytes.count - place - 8
        let count = length == 0 ? rest : min(length, rest)
        guard rate > 0, count > 0 else { return nil }
        isWAV = true
        seconds = Double(count) / Double(rate)
        sound = place + 8..<place + 8 + count
        return
      }
      place += 8 + length + length % 2
    }
    return nil
  }

  private init?(mp3 bytes: [UInt8]) {
    var place = 0
    // ID3v2 stores its length with seven bits per byte.
    if bytes.starts(with: "ID3".utf8), bytes.count > 10 {
      place = 10 + bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }
    var samples = 0.0
    var start: Int?
    var end = place
    while let next = Self.nextFrame(bytes, from: place) {
      let frame = next.frame
      place = next.place
      // The first frame may hold metadata instead of sound.
      let head = bytes[place..<min(place + 44, place + frame.size)]
      let isNote =
        start == nil && ["Xing", "Info"].contains { head.firstRange(of: $0.utf8) != nil }
      place += frame.size
      guard !isNote else { continue }
      if start == nil { start = place - frame.size }
      samples += frame.seconds
      end = place
    }
    guard let start, samples > 0 else { return nil }
    isWAV = false
    seconds = samples
    sound = start..<min(end, bytes.count)
  }

  /// Returns the next frame, skipping data between frames, such as the tag of a file that was
  /// appended to another.
  ///
  /// A frame found by skipping must be followed by another frame or the end of the file, so that
  /// random bytes are not taken for a frame.
  private static func nextFrame(
    _ bytes: [UInt8], from start: Int
  ) -> (place: Int, frame: (seconds: Double, size: Int))? {
    for place in start..<max(start, min(bytes.count, start + 1 << 16)) {
      guard let frame = frame(bytes, at: place) else { continue }
      let end = place + frame.size
      if place == start || end == bytes.count || Self.frame(bytes, at: end) != nil {
        return (place, frame)
      }
    }
    return nil
  }

  /// Returns the duration and size in bytes of the layer III frame at `place`, or `nil`.
  private static func frame(_ bytes: [UInt8], at place: Int) -> (seconds: Double, size: Int)? {
    guard place + 4 <= bytes.count, bytes[place] == 0xFF, bytes[place + 1] & 0xE6 == 0xE2 else {
      return nil
    }
    let version = bytes[place + 1] >> 3 & 3
    let (rateIndex, bitIndex) = (Int(bytes[place + 2] >> 2 & 3), Int(bytes[place + 2] >> 4))
    guard version != 1, rateIndex < 3, (1...14).contains(bitIndex) else { return nil }
    let isFirst = version == 3
    let kilobits =
      isFirst
      ? [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320][bitIndex]
      : [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160][bitIndex]
    let rate = [44_100, 48_000, 32_000][rateIndex] / (isFirst ? 1 : version == 2 ? 2 : 4)
    let samples = isFirst ? 1152 : 576
    let size = samples / 8 * kilobits * 1000 / rate + Int(bytes[place + 2] >> 1 & 1)
    return (Double(samples) / Double(rate), size)
  }

  /// Joins files of one kind into one that plays them in order.
  ///
  /// A single file gets a header with its length, even if its own header lacked it.
  ///
  /// - Parameter files: The content of the files.
  /// - Returns: The joined file, or `nil` if a file is not valid or their formats differ.
  public static func joined(_ files: [[UInt8]]) -> [UInt8]? {
    let parts = files.compactMap { file in AudioFile(file).map { (file, $0) } }
    guard let (first, form) = parts.first, parts.count == files.count else { return nil }
    guard form.isWAV else {
      // The first frame of a single file may hold its duration.
      if files.count == 1 { return first }
      guard parts.allSatisfy({ !$0.1.isWAV }) else { return nil }
      return parts.flatMap { $0[$1.sound] }
    }
    // The bytes between the two lengths describe the format of the samples.
    var header = Array(first[..<form.sound.lowerBound])
    let end = header.count - 4
    for (file, part) in parts {
      guard part.isWAV, file[..<part.sound.lowerBound][8...].dropLast(4) == header[8..<end] else {
        return nil
      }
    }
    let size = parts.reduce(0) { $0 + $1.1.sound.count }
    func put(_ value: Int, at place: Int) {
      withUnsafeBytes(of: UInt32(clamping: value).littleEndian) {
        header.replaceSubrange(place..<place + 4, with: $0)
      }
    }
    put(header.count - 8 + size, at: 4)
    put(size, at: end)
    return parts.reduce(header) { $0 + $1.0[$1.1.sound] }
  }
}
