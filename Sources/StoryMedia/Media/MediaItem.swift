public import JSONText
public import StoryLibrary

/// A file on the server for a record.
public struct MediaItem: Sendable, Hashable {
  /// The kind.
  public let kind: MediaKind
  /// The record.
  public let ref: RecordRef
  /// The server's id of the record.
  public let id: String
  /// The server's id of the story for a picture, or `nil` for other kinds.
  public let storyID: String?
  /// The version of the record's file: eight digits that change with it.
  public let version: String

  /// Creates the item for a record according to its last known state on the server.
  ///
  /// - Parameters:
  ///   - kind: The kind of file.
  ///   - ref: The record.
  ///   - id: The server's id of the record.
  ///   - server: The server's members of the record, as in its sidecar.
  /// - Returns: `nil` if there is no file.
  public init?(_ kind: MediaKind, of ref: RecordRef, id: String, server: JSONObject) {
    guard let url = server[kind.member]?.string, !url.isEmpty else { return nil }
    self.kind = kind
    self.ref = ref
    self.id = id
    let values = kind.versionMembers.map { server[$0] ?? .null }
    version = String(ContentDigest(JSONValue.array(values).compactBytes).description.prefix(8))
    storyID = kind == .illustrations ? server["storyId"]?.string : nil
  }

  /// Returns the id if it is safe in file names on all systems, otherwise its digest.
  static func namePart(ofID id: String) -> String {
    let isSafe =
      (1...48).contains(id.utf8.count)
      && id.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
    return isSafe ? id : String(ContentDigest(id.utf8).description.prefix(24))
  }

  /// The identity of the file independent of its record's name: its id and version.
  var key: String { "\(kind.rawValue)/\(Self.namePart(ofID: id)).\(version)" }
}
