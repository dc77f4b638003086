import JSONText
import StoryLibrary
import StoryMedia
import StoryPages

extension ShelfMedia {
  /// Finds the current pictures and narrations of a library that are on this machine.
  ///
  /// - Parameters:
  ///   - library: The library.
  ///   - scan: A scan of it with all kinds.
  ///   - files: The files of its media store.
  init(of library: Library, _ scan: Scan, _ files: [MediaFile]) {
    self.init()
    let held = HeldMedia(files)
    let reader = RecordReader(library: library, references: scan.references)
    for item in library.mediaItems(in: scan) {
      let story = item.storyID.flatMap { scan.entry(id: $0, of: .stories)?.ref }
      guard let file = held.file(of: item) else {
        missing[story ?? item.ref, default: []].append(item.ref)
        continue
      }
      guard let asset = Asset(of: item.ref, file: library.path(file.path)) else { continue }
      switch item.kind {
      case .avatars: avatars[item.ref] = asset
      case .audio: narrations[item.ref] = asset
      case .illustrations:
        guard let story, let content = scan.entry(item.ref).flatMap({ reader.content(of: $0) })
        else { continue }
        scenes[story, default: []].append(
          Scene(
            asset: asset, text: content["scene"].string ?? "",
            order: content["order"].integer ?? .max, time: Self.seconds(content["time"]),
            duration: Self.seconds(content["duration"])))
      }
    }
    for story in scenes.keys {
      scenes[story]?.sort { ($0.order, $0.asset.ref) < ($1.order, $1.asset.ref) }
    }
  }

  private static func seconds(_ value: JSONValue) -> Double? {
    guard case .number(let number) = value, number.double >= 0 else { return nil }
    return number.double
  }
}
