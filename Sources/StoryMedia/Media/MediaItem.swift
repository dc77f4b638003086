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

extension Library {
  /// Returns the server's files for the records of this library, according to the sidecars, by kind and
  /// record.
  ///
  /// This does not use the network, so it does not know what has not been pulled yet.
  ///
  /// - Parameters:
  ///   - scan: A scan of the library, including illustrations.
  ///   - refs: The records, or `nil` for all. A story includes its pictures.
  public func mediaItems(in scan: Scan, of refs: [RecordRef]? = nil) -> [MediaItem] {
    let wanted = refs.map(Set.init)
    func isWanted(_ entry: ScanEntry) -> Bool { wanted?.contains(entry.ref) ?? true }
    let stories = Set(
      scan.entries.lazy.filter { $0.ref.kind == .stories && isWanted($0) }.compactMap(\.id))
    return MediaKind.allCases.flatMap { kind in
      scan.entries.compactMap { entry -> MediaItem? in
        guard entry.ref.kind == kind.recordKind, entry.id != nil,
          isWanted(entry) || kind == .illustrations, let sidecar = try? self.sidecar(of: entry),
          let item = MediaItem(kind, of: entry.ref, id: sidecar.id, server: sidecar.server)
        else { return nil }
        return isWanted(entry) || item.storyID.map(stories.contains) ?? false ? item : nil
      }
    }
  }
}

/// The local files by their keys, to find those of many items.
public struct HeldMedia: Sendable {
  private let files: [String: MediaFile]

  /// Creates the table of the files in a store.
  public init(_ files: [MediaFile]) {
    self.files = Dictionary(files.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the up-to-date local file of an item, or `nil`.
  public func file(of item: MediaItem) -> MediaFile? { files[item.key] }
}

/// A kind of file that a server makes for a record.
public enum MediaKind: String, Sendable, Hashable, CaseIterable {
  /// Pictures of heroes.
  case avatars
  /// Narrations of stories.
  case audio
  /// Pictures of scenes.
  case illustrations

  private var row: (record: EntityKind, noun: String, members: [String]) {
    switch self {
    case .avatars: (.heroes, "avatar", ["avatarUrl", "avatarGenerationId"])
    case .audio: (.stories, "narration", ["audioUrl", "audioDuration"])
    case .illustrations: (.illustrations, "illustration", ["imageUrl"])
    }
  }

  /// The kind of record that has such files.
  public var recordKind: EntityKind { row.record }

  /// The noun for one file, such as `avatar`.
  public var noun: String { row.noun }

  /// The member with the file's address.
  var member: String { row.members[0] }

  /// The members that change when a file is replaced.
  var versionMembers: [String] { row.members }

  var typePrefix: String { self == .audio ? "audio/" : "image/" }
}
