/// A picture or audio format that browsers support, recognized by the first bytes of a file.
public enum MediaFormat: String, Sendable, Hashable, CaseIterable {
  /// A picture.
  case png, jpeg, gif, webp, avif
  /// Sound.
  case mp3, m4a, wav, ogg, flac

  /// Recognizes the format, whatever the file is called.
  ///
  /// - Parameter start: The first 16 bytes of the file.
  /// - Returns: `nil` for any other content.
  public init?(start: [UInt8]) {
    func has(_ text: String, at place: Int = 0) -> Bool {
      start.dropFirst(place).starts(with: text.utf8)
    }
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if has("GIF87a") || has("GIF89a") {
      self = .gif
    } else if has("RIFF"), has("WEBP", at: 8) {
      self = .webp
    } else if has("RIFF"), has("WAVE", at: 8) {
      self = .wav
    } else if has("ftypavif", at: 4) {
      self = .avif
    } else if has("ftyp", at: 4) {
      self = .m4a
    } else if has("OggS") {
      self = .ogg
    } else if has("fLaC") {
      self = .flac
    } else if has("ID3") || start.count > 1 && start[0] == 0xFF && start[1] & 0xE6 == 0xE2 {
      self = .mp3
    } else {
      return nil
    }
  }

  /// Whether it is a format of pictures.
  public var isPicture: Bool { [.png, .jpeg, .gif, .webp, .avif].contains(self) }

  /// The extension of file names.
  public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

  /// The content type.
  public var type: String {
    switch self {
    case .mp3: "audio/mpeg"
    case .m4a: "audio/mp4"
    default: (isPicture ? "image/" : "audio/") + rawValue
    }
  }

  /// Whether all readers of EPUB support it (EPUB 3.2, core media types).
  public var isOfBooks: Bool { [.png, .jpeg, .gif, .mp3, .m4a].contains(self) }
}
