public import StoryLibrary
import StorySync

/// The server's files for the records of a library, according to the sidecars.
///
/// This does not use the network, so it does not know what has not been pulled yet.
public struct MediaCatalog: Sendable {
  /// The files, by kind and record.
  public private(set) var items: [MediaItem] = []
  /// The records by the server's id, to find a file's record.
  private var names: [String: RecordRef] = [:]

  /// Reads the sidecars of the records that have files.
  ///
  /// - Parameters:
  ///   - library: The library.
  ///   - scan: A scan of the library, including illustrations.
  ///   - refs: The records, or `nil` for all. A story includes its pictures.
  public init(_ library: Library, _ scan: Scan, refs: [RecordRef]? = nil) {
    let files = LibraryFiles(library: library)
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
        guard isNamed || kind == .illustrations,
          let sidecar = try? files.sidecar(of: entry.ref, at: entry.renamedFrom ?? entry.ref),
          let item = MediaItem(kind, of: entry.ref, id: sidecar.id, server: sidecar.server)
        else { continue }
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

  /// Returns the local file of an item, or `nil` if there is none or only an older one.
  public static func held(_ item: MediaItem, among files: [MediaFile]) -> MediaFile? {
    files.first { $0.key == item.key }
  }
}
