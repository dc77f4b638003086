import JSONText
import StoryLibrary
import StoryMedia
import StoryPages

/// Finds the current pictures and narrations of a library that are on this machine.
struct ShelfMediaReader: Sendable {
  private let library: Library
  private var catalog: MediaCatalog?
  private var known: [RecordRef: Known] = [:]

  /// What was found for a record, as long as its file and the scan of it stay as they are.
  private struct Known {
    let file: MediaFile
    let entry: ScanEntry
    let asset: Asset
    let scene: ShelfMedia.Scene?
  }

  init(_ library: Library) { self.library = library }

  /// Returns the media of a scan with all kinds, and reads what has changed since the last call.
  mutating func read(_ scan: Scan, _ files: [MediaFile]) -> ShelfMedia {
    let catalog = MediaCatalog(library, scan, after: catalog)
    self.catalog = catalog
    let held = MediaCatalog.Held(files)
    var media = ShelfMedia()
    var found: [RecordRef: Known] = [:]
    let reader = RecordReader(library: library, references: scan.references)
    for item in catalog.items {
      guard let entry = scan.entry(item.ref) else { continue }
      guard let file = held.file(of: item) else {
        let story = item.storyID.flatMap { scan.entry(id: $0, of: .stories)?.ref }
        media.missing[story ?? item.ref, default: []].append(item.ref)
        continue
      }
      var current = known[item.ref]
      if current?.file != file || current?.entry != entry {
        current = read(item, file, entry, reader)
      }
      guard let current else { continue }
      found[item.ref] = current
      switch item.kind {
      case .avatars: media.avatars[item.ref] = current.asset
      case .audio: media.narrations[item.ref] = current.asset
      case .illustrations:
        guard let id = item.storyID, let story = scan.entry(id: id, of: .stories),
          let scene = current.scene
        else { continue }
        media.scenes[story.ref, default: []].append(scene)
      }
    }
    for story in media.scenes.keys {
      media.scenes[story]?.sort { ($0.order, $0.asset.ref) < ($1.order, $1.asset.ref) }
    }
    known = found
    return media
  }

  private func read(
    _ item: MediaItem, _ file: MediaFile, _ entry: ScanEntry, _ reader: RecordReader
  ) -> Known? {
    guard let asset = Asset(of: item.ref, file: library.path(file.path)) else { return nil }
    let isScene = item.kind == .illustrations
    let content = isScene ? reader.content(of: entry) : nil
    // What could not be read this time may be readable the next time.
    if isScene, content == nil { return nil }
    let scene = content.map { content in
      ShelfMedia.Scene(
        asset: asset, text: content["scene"].string ?? "",
        order: content["order"].integer ?? .max, time: Self.seconds(content["time"]),
        duration: Self.seconds(content["duration"]))
    }
    return Known(file: file, entry: entry, asset: asset, scene: scene)
  }

  private static func seconds(_ value: JSONValue) -> Double? {
    guard case .number(let number) = value, number.double >= 0 else { return nil }
    return number.double
  }
}
