public import StoryLibrary
import StorySync

/// The server's files for the records of a library, according to the sidecars.
///
/// This does not use the network, so it does not know what has not been pulled yet.
public struct MediaCatalog: Sendable {
  /// The files, by kind and record.
  public private(set) var items: [MediaItem] = []
  /// The sidecars that were read, with the items that they have, if all were.
  private var known: [RecordRef: Known] = [:]
  /// The records by the server's id, to find a file's record.
  private var names: [String: RecordRef] = [:]

  private struct Known: Sendable {
    var sidecar: ContentDigest?
    var item: MediaItem?
  }

  /// Reads the sidecars of the records that have files.
  ///
  /// - Parameters:
  ///   - library: The library.
  ///   - scan: A scan of the library, including illustrations.
  ///   - refs: The records, or `nil` for all. A story includes its pictures.
  ///   - earlier: A catalog of an earlier scan, whose sidecars are not read again if they have not
  ///     changed.
  public init(
    _ library: Library, _ scan: Scan, refs: [RecordRef]? = nil, after earlier: MediaCatalog? = nil
  ) {
    let wanted = refs.map(Set.init)
    var wantedStories: Set<String> = []
    for entry in scan.entries {
      guard let id = entry.id else { continue }
      names["\(entry.ref.kind.rawValue)/\(MediaItem.namePart(ofID: id))"] = entry.ref
      if entry.ref.kind == .stories, wanted?.contains(entry.ref) ?? true {
        wantedStories.insert(id)
      }
    }
    for kind in MediaKind.allCases {
      for entry in scan.entries where entry.ref.kind == kind.recordKind && entry.id != nil {
        let isNamed = wanted?.contains(entry.ref) ?? true
        guard isNamed || kind == .illustrations else { continue }
        var found = earlier?.known[entry.ref]
        if found == nil || entry.sidecarDigest == nil || found?.sidecar != entry.sidecarDigest {
          let sidecar = try? library.sidecar(of: entry)
          found = Known(
            sidecar: entry.sidecarDigest,
            item: sidecar.flatMap {
              MediaItem(kind, of: entry.ref, id: $0.id, server: $0.server)
            })
        }
        known[entry.ref] = found
        guard let item = found?.item else { continue }
        let isOfStory = item.storyID.map(wantedStories.contains) ?? false
        if isNamed || isOfStory { items.append(item) }
      }
    }
  }

  /// Returns the record of a local file by its current name, or by its name when the file was
  /// fetched if the record is missing.
  public func record(of file: MediaFile) -> RecordRef {
    names["\(file.kind.recordKind.rawValue)/\(file.idPart)"] ?? file.ref
  }

  /// The local files, to find those of many items.
  public struct Held: Sendable {
    private let files: [String: MediaFile]

    /// Creates the table of the files in a store.
    public init(_ files: [MediaFile]) {
      self.files = Dictionary(files.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the up-to-date local file of an item, or `nil`.
    public func file(of item: MediaItem) -> MediaFile? { files[item.key] }
  }
}
