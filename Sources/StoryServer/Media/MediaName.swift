import StoryLibrary

/// Where a file that the server made is found: `/api/media/{account}/{kind}/{record's id}/{file}`.
///
/// A file never changes: what is made anew gets another name, and the record names that one.
struct MediaName: Hashable, Sendable {
  /// The account's number.
  var account: Int
  /// The record that the file goes with.
  var kind: RecordKind
  var record: RecordID
  /// 16 hexadecimal digits, a dot, and ``MediaType/fileExtension``.
  var file: String

  /// A new name, which no file has had before.
  init(account: Int, kind: RecordKind, record: RecordID, type: MediaType, random: UInt64) {
    self.account = account
    self.kind = kind
    self.record = record
    file = "\(Hexadecimal.text(random)).\(type.fileExtension)"
  }

  /// The name that ``segments`` wrote, without the `media` before it.
  ///
  /// - Returns: `nil` for anything else: what stands in a URL becomes a path on disk only in this form.
  init?(_ segments: some Collection<String>) {
    let parts = Array(segments)
    guard parts.count == 4, let account = Int(parts[0]), String(account) == parts[0], account >= 0,
      let kind = RecordKind(rawValue: parts[1]), !parts[2].isEmpty
    else { return nil }
    let name = parts[3].utf8.split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard name.count == 2, name[0].count == 16, Hexadecimal.word(name[0]) != nil,
      let type = MediaType(fileExtension: String(Substring(name[1])))
    else { return nil }
    self.account = account
    self.kind = kind
    record = RecordID(parts[2])
    file = parts[3].lowercased()
    guard file.utf8.elementsEqual(parts[3].utf8), type.fileExtension.utf8.elementsEqual(name[1])
    else { return nil }
  }

  /// A number that goes with the name: the same name gives the same placeholder.
  var seed: UInt64 { UInt64(file.prefix(16), radix: 16) ?? 0 }

  /// What kind of file it is.
  var type: MediaType {
    get { MediaType(fileExtension: String(file.drop { $0 != "." }.dropFirst())) ?? .png }
    set { file = "\(file.prefix(16)).\(newValue.fileExtension)" }
  }

  /// The path that a record names, percent-encoded (RFC 3986, section 2.1).
  var path: String {
    "/api/media/\(account)/\(kind.rawValue)/\(Self.encoded(record.text))/\(file)"
  }

  /// The name in a path of a record, or `nil` if the path is not one of this server.
  init?(path: String) {
    guard let target = HTTPTarget(path), target.segments.starts(with: ["api", "media"]) else {
      return nil
    }
    self.init(target.segments.dropFirst(2))
  }

  private static func encoded(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.append(byte)
      default:
        // A dot too: a segment `..` would be taken for the folder above.
        result.append(text: "%" + Hexadecimal.text(byte).uppercased())
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// The forms of the files that the server keeps.
enum MediaType: String, Sendable {
  case png
  case jpeg = "jpg"
  case webp
  case wav
  case mp3

  init?(fileExtension: String) { self.init(rawValue: fileExtension) }

  /// The type of a picture by its first bytes; `nil` for anything but PNG, JPEG and WebP.
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

  var fileExtension: String { rawValue }

  /// The value of `Content-Type`.
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
