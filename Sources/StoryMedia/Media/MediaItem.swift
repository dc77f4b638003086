public import JSONText
public import StoryLibrary

/// A file that the server has for a record.
public struct MediaItem: Sendable, Hashable {
  /// What it is.
  public let kind: MediaKind
  /// The record.
  public let ref: RecordRef
  /// The server's id of the record.
  public let id: String
  /// The server's id of the story that a picture belongs to; `nil` for other kinds.
  public let storyID: String?
  /// Which of the files that the record had in time it is: eight digits that change with it.
  public let version: String

  /// The file that a record has by what the server said of it last.
  ///
  /// - Parameters:
  ///   - kind: what the file is.
  ///   - ref: the record.
  ///   - id: the server's id of the record.
  ///   - server: the server's part of the record, as its sidecar keeps it.
  /// - Returns: `nil` where it has none.
  public init?(_ kind: MediaKind, of ref: RecordRef, id: String, server: JSONObject) {
    guard let version = Self.version(kind, server) else { return nil }
    self.kind = kind
    self.ref = ref
    self.id = id
    self.version = version
    storyID = kind == .illustrations ? server["storyId"]?.string : nil
  }

  private init(_ item: MediaItem, version: String) {
    kind = item.kind
    ref = item.ref
    id = item.id
    storyID = item.storyID
    self.version = version
  }

  /// The same record's file as the server has it now; `nil` where there is none any more.
  func now(_ server: JSONObject) -> MediaItem? {
    Self.version(kind, server).map { MediaItem(self, version: $0) }
  }

  private static func version(_ kind: MediaKind, _ server: JSONObject) -> String? {
    guard let url = server[kind.member]?.string, !url.isEmpty else { return nil }
    let values = kind.versionMembers.map { server[$0] ?? .null }
    return String(ContentDigest(JSONValue.array(values).compactBytes).description.prefix(8))
  }

  /// The id as a part of a file name: as it is where that is safe everywhere, else its digest.
  static func namePart(ofID id: String) -> String {
    let isSafe =
      (1...48).contains(id.utf8.count)
      && id.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
    return isSafe ? id : String(ContentDigest(id.utf8).description.prefix(24))
  }

  /// What identifies the file whatever its record is called: its id and version.
  var key: String { "\(kind.rawValue)/\(Self.namePart(ofID: id)).\(version)" }
}
