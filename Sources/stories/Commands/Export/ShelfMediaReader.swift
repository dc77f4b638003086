import JSONText
import StoryAPI
import StoryLibrary
import StoryMedia
import StoryPages

/// Finds the current pictures and narrations of a library that are on this machine.
struct ShelfMediaReader: Sendable {
  private let library: Library
  private let time: TimeSource
  private var files: [MediaFile] = []
  private var catalog: MediaCatalog?
  private var assets: [MediaFile: Asset] = [:]
  private var scenes: [RecordRef: KnownScene] = [:]
  private var entries: [ScanEntry] = []
  private var media = ShelfMedia()

  /// A scene, as long as the files of its record stay as they are.
  private struct KnownScene {
    let digest: ContentDigest?
    let sidecarDigest: ContentDigest?
    let scene: ShelfMedia.Scene
  }

  init(_ library: Library, _ time: TimeSource) {
    self.library = library
    self.time = time
  }

  /// Reads what has changed since the last call.
  ///
  /// - Parameter scan: A scan of the library with all kinds.
  /// - Returns: The media, and whether they may differ from those of the last call.
  /// - Throws: `FileError` if a folder cannot be listed.
  mutating func read(_ scan: Scan) throws -> (media: ShelfMedia, isNew: Bool) {
    let files = try MediaStore(library, time: time).files()
    if catalog != nil, files == self.files, scan.entries == entries { return (media, false) }
    let catalog = MediaCatalog(library, scan, after: catalog)
    media = read(scan, catalog, MediaCatalog.Held(files))
    (self.files, self.catalog, entries) = (files, catalog, scan.entries)
    return (media, true)
  }

  private mutating func read(
    _ scan: Scan, _ catalog: MediaCatalog, _ held: MediaCatalog.Held
  ) -> ShelfMedia {
    var media = ShelfMedia()
    var known: [MediaFile: Asset] = [:]
    var knownScenes: [RecordRef: KnownScene] = [:]
    let reader = RecordReader(library: library, references: scan.references)
    for item in catalog.items {
      guard let file = held.file(of: item) else {
        let story = item.storyID.flatMap { scan.entry(id: $0, of: .stories)?.ref }
        media.missing[story ?? item.ref, default: []].append(item.ref)
        continue
      }
      let path = library.path(file.path)
      let use: Asset.Use =
        switch item.kind {
        case .avatars: .avatar
        case .audio: .narration
        case .illustrations: .scene
        }
      let earlier = assets[file].flatMap { $0.use == use && $0.ref == item.ref ? $0 : nil }
      guard let asset = earlier ?? Asset(use, of: item.ref, file: path) else { continue }
      known[file] = asset
      switch use {
      case .avatar: media.avatars[item.ref] = asset
      case .narration: media.narrations[item.ref] = asset
      case .scene:
        guard let id = item.storyID, let story = scan.entry(id: id, of: .stories),
          let entry = scan.entry(item.ref), let scene = scene(of: entry, asset, reader)
        else { continue }
        knownScenes[item.ref] = KnownScene(
          digest: entry.digest, sidecarDigest: entry.sidecarDigest, scene: scene)
        media.scenes[story.ref, default: []].append(scene)
      }
    }
    for story in media.scenes.keys {
      media.scenes[story]?.sort { ($0.order, $0.asset.ref) < ($1.order, $1.asset.ref) }
    }
    (assets, scenes) = (known, knownScenes)
    return media
  }

  private func scene(
    of entry: ScanEntry, _ asset: Asset, _ reader: RecordReader
  ) -> ShelfMedia.Scene? {
    if let known = scenes[entry.ref], known.digest == entry.digest, entry.digest != nil,
      known.sidecarDigest == entry.sidecarDigest, known.scene.asset == asset
    {
      return known.scene
    }
    guard let content = reader.content(of: entry) else { return nil }
    return ShelfMedia.Scene(
      asset: asset, text: content["scene"].string ?? "", order: content["order"].integer ?? .max,
      time: Self.seconds(content["time"]), duration: Self.seconds(content["duration"]))
  }

  private static func seconds(_ value: JSONValue) -> Double? {
    guard case .number(let number) = value, number.double >= 0 else { return nil }
    return number.double
  }
}
