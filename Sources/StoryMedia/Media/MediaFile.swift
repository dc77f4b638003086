public import StoryAPI
public import StoryLibrary

/// A file in the media store.
///
/// Its name is its metadata: `<record>.<server id>.<version>.<extension>`, in the folder of its
/// kind.
public struct MediaFile: Sendable, Hashable {
  /// The kind.
  public let kind: MediaKind
  /// The record, by its name when the file was fetched.
  public let ref: RecordRef
  /// The path relative to the library's root.
  public let path: String
  /// The size in bytes.
  public let size: Int
  /// The last time that it was fetched or requested by its record's name.
  public internal(set) var usedAt: ServerDate
  /// The server's id of the record in the form for file names.
  let idPart: String
  let version: String

  /// See `MediaItem.key`.
  var key: String { "\(kind.rawValue)/\(idPart).\(version)" }

  /// Parses the name of a file.
  ///
  /// - Parameters:
  ///   - name: The path in the kind's folder.
  ///   - status: The file's metadata.
  /// - Returns: `nil` if this program does not use such names.
  init?(_ kind: MediaKind, name: String, _ status: FileSystem.Status) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[parts.count - 2].utf8.count == 8,
      parts.allSatisfy({ !$0.isEmpty })
    else { return nil }
    self.kind = kind
    ref = RecordRef(kind: kind.recordKind, name: parts.dropLast(3).joined(separator: "."))
    idPart = String(parts[parts.count - 3])
    version = String(parts[parts.count - 2])
    path = Path.join(MediaStore.folder(kind), name)
    size = status.size
    let (seconds, rest) = status.modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    usedAt = ServerDate(seconds: Int64(seconds), nanoseconds: Int64(rest))
  }

  /// Returns the extension for a content type, or `nil` if this kind of file cannot have that type.
  static func fileExtension(_ type: String?, of kind: MediaKind) -> String? {
    let word = (type ?? "application/octet-stream").prefix { $0 != ";" && $0 != " " }.lowercased()
    if let known = extensions[word] { return word.hasPrefix(kind.typePrefix) ? known : nil }
    // Storage without type information reports these types; any other type is a different answer.
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
