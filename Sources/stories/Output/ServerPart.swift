import JSONText
import StoryLibrary

/// What the server made of a record and when, as of the last sync.
struct ServerPart: Sendable {
  /// The record's sidecar, or `nil` if it does not exist or cannot be read.
  let sidecar: Sidecar?
  let pictures: Int

  init(of entry: ScanEntry, _ reader: RecordReader, pictures: [String: Int] = [:]) {
    sidecar = reader.sidecar(of: entry)
    self.pictures = entry.ref.kind == .stories ? pictures[entry.ref.name] ?? 0 : 0
  }

  /// Returns the number of pictures of each story that has any, by its name.
  static func pictures(in scan: Scan) -> [String: Int] {
    scan.entries.reduce(into: [:]) { counts, entry in
      guard entry.ref.kind == .illustrations else { return }
      counts[Path.parent(entry.ref.name), default: 0] += 1
    }
  }

  private func text(_ key: String) -> String? { sidecar?.server[key]?.string }

  /// When the server got the record.
  var madeAt: String? { text("createdAt") }
  /// When the record was changed last on the server.
  var changedAt: String? { sidecar?.updatedAt }
  /// When the story was read last.
  var readAt: String? { text("lastPlayedAt") }

  /// The day of a date (UTC), or `nil` for anything else.
  static func day(_ date: String?) -> String? {
    guard let date, UTCTime.read(date) != nil else { return nil }
    return String(date.prefix(10))
  }

  private var hasAvatar: Bool { text("avatarUrl") != nil }
  private var hasNarration: Bool { text("audioUrl") != nil }
  private var narrationSeconds: Double? {
    guard case .number(let number)? = sidecar?.server["audioDuration"] else { return nil }
    return number.double > 0 && number.double < 1e6 ? number.double : nil
  }

  /// The media: `avatar`, `narration (2 min 30 s), 4 pictures`.
  var media: String {
    var parts: [String] = []
    if hasAvatar { parts.append("avatar") }
    if hasNarration {
      let length = narrationSeconds.map { " (\(Phrases.span(.seconds($0.rounded()))))" }
      parts.append("narration" + (length ?? ""))
    }
    if pictures > 0 { parts.append(Phrases.count(pictures, "picture")) }
    return parts.joined(separator: ", ")
  }

  /// The dates and media for documents; what a record does not have is omitted.
  var members: Members {
    let media =
      (hasAvatar ? ["avatar"] : []) + (hasNarration ? ["narration"] : [])
      + (pictures > 0 ? ["pictures"] : [])
    return [
      "id": Omitted(sidecar?.id), "createdAt": Omitted(madeAt), "updatedAt": Omitted(changedAt),
      "lastPlayedAt": Omitted(readAt), "media": media.filled,
      "pictures": Omitted(pictures > 0 ? pictures : nil),
    ]
  }
}
