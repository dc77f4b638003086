import StoryLibrary

/// The location of a file made by the server: `/api/media/{account}/{kind}/{record's id}/{file}`.
///
/// A file never changes. A new version has another name, and the record references that one.
struct MediaName: Hashable, Sendable {
  let account: Int
  let kind: RecordKind
  let record: RecordID
  let type: MediaType
  /// A random number, also of the file's placeholder: the same name always gives the same one.
  let random: UInt64

  /// 16 hexadecimal digits, a dot, and the raw value of a ``MediaType``.
  var file: String { "\(Hexadecimal.text(random)).\(type.rawValue)" }

  /// The path in a record, percent-encoded (RFC 3986, section 2.1).
  var path: String {
    // Dots are encoded too, because a segment `..` would mean the parent folder.
    let record = percentEncoded(record.text).split(separator: ".", omittingEmptySubsequences: false)
    return "/api/media/\(account)/\(kind.rawValue)/\(record.joined(separator: "%2E"))/\(file)"
  }
}

extension MediaName {
  /// Parses the segments of a path after `media`.
  ///
  /// - Returns: `nil` for any other form. Only this form becomes a path on disk.
  init?(_ segments: some Collection<String>) {
    let parts = Array(segments)
    guard parts.count == 4, let account = Int(parts[0]), String(account) == parts[0], account >= 0,
      let kind = RecordKind(rawValue: parts[1]), !parts[2].isEmpty
    else { return nil }
    let name = parts[3].utf8.split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard name.count == 2, name[0].count == 16, let random = Hexadecimal.word(name[0]),
      let type = MediaType(rawValue: String(Substring(name[1])))
    else { return nil }
    self.init(
      account: account, kind: kind, record: RecordID(parts[2]), type: type, random: random)
    guard file.utf8.elementsEqual(parts[3].utf8) else { return nil }
  }
}

/// The types of files that the server stores. The raw value is the extension of their names.
enum MediaType: String, Sendable {
  case png
  case jpeg = "jpg"
  case webp
  case wav
  case mp3

  /// Detects the type of a picture by its first bytes: PNG, JPEG or WebP, or else `nil`.
  init?(picture bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.count > 12, bytes.starts(with: "RIFF".utf8),
      bytes[8..<12].elementsEqual("WEBP".utf8)
    {
      self = .webp
    } else {
      return nil
    }
  }

  var contentType: String {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .webp: "image/webp"
    case .wav: "audio/wav"
    case .mp3: "audio/mpeg"
    }
  }
}
