public import StoryAPI
public import StoryLibrary

/// A file in the media store.
///
/// Its name says all that is known of it: `<record>.<server id>.<version>.<extension>`, below the
/// folder of its kind.
public struct MediaFile: Sendable, Hashable {
  /// What it is.
  public let kind: MediaKind
  /// The name that its record had when it was fetched.
  public let recordName: String
  /// Its path relative to the library's root.
  public let path: String
  /// Its size in bytes.
  public let size: Int
  /// When it was last used: fetched, or asked for by its record's name.
  public let usedAt: ServerDate
  /// The server's id of the record, as far as a file name can hold it.
  let idPart: String
  /// Which of the record's files it is.
  let version: String

  /// The record, by the name that it had when the file was fetched.
  public var ref: RecordRef { RecordRef(kind: kind.recordKind, name: recordName) }

  /// See `MediaItem.key`.
  var key: String { "\(kind.rawValue)/\(idPart).\(version)" }

  /// Takes apart the name of a file.
  ///
  /// - Parameters:
  ///   - name: the path below the kind's folder.
  ///   - folder: the kind's folder, relative to the library's root.
  /// - Returns: `nil` for a name that this program gives no file.
  init?(_ kind: MediaKind, name: String, in folder: String, _ status: FileSystem.Status) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[parts.count - 2].utf8.count == 8,
      parts.allSatisfy({ !$0.isEmpty })
    else { return nil }
    self.kind = kind
    recordName = parts.dropLast(3).joined(separator: ".")
    idPart = String(parts[parts.count - 3])
    version = String(parts[parts.count - 2])
    path = Path.join(folder, name)
    size = status.size
    let (seconds, rest) = status.modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    usedAt = ServerDate(seconds: Int64(seconds), nanoseconds: Int64(rest))
  }

  /// The extension for a content type; `nil` for a type that such a file cannot have.
  static func fileExtension(_ type: String?, of kind: MediaKind) -> String? {
    let word = (type ?? "application/octet-stream").prefix { $0 != ";" && $0 != " " }.lowercased()
    if let known = extensions[word] { return word.hasPrefix(kind.typePrefix) ? known : nil }
    // Storage that was not told what it holds says so; any other type is an answer of its own.
    let isUnknown = ["application/octet-stream", "binary/octet-stream"].contains(word)
    return isUnknown || word.hasPrefix(kind.typePrefix) ? "bin" : nil
  }

  private static let extensions = [
    "image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif",
    "image/avif": "avif", "audio/mpeg": "mp3", "audio/mp3": "mp3", "audio/wav": "wav",
    "audio/x-wav": "wav", "audio/wave": "wav", "audio/vnd.wave": "wav", "audio/ogg": "ogg",
    "audio/opus": "opus", "audio/flac": "flac", "audio/aac": "aac", "audio/mp4": "m4a",
    "audio/x-m4a": "m4a",
  ]
}
