public import StoryLibrary
import StorySync

/// What files the server has for the records of a library, by what the sidecars say.
///
/// No network is used: what a pull did not bring yet is not known.
public struct MediaCatalog: Sendable {
  /// The files, by kind and record.
  public private(set) var items: [MediaItem] = []
  /// The records by the server's id, for telling whose a held file is.
  private var names: [String: RecordRef] = [:]

  /// Reads the sidecars of the records that have files.
  ///
  /// - Parameters:
  ///   - library: the library.
  ///   - scan: a scan of the library, illustrations included.
  ///   - refs: the records to look at; `nil` for all. With a story come its pictures.
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

  /// The record that a held file belongs to, by the name that it has now; the name that it had when
  /// the file was fetched where the record is gone.
  public func record(of file: MediaFile) -> RecordRef {
    names["\(file.kind.recordKind.rawValue)/\(file.idPart)"] ?? file.ref
  }

  /// The file that is held for an item; `nil` where none is, or only an older one.
  public static func held(_ item: MediaItem, among files: [MediaFile]) -> MediaFile? {
    files.first { $0.key == item.key }
  }
}
