public import StoryLibrary

/// A picture or a narration on this machine that pages show: the picture of a hero or a scene, or a
/// story read aloud.
public struct Asset: Sendable, Hashable {
  /// The record that has it; of a scene, that of the picture.
  public let ref: RecordRef
  /// The file.
  public let file: ConfinedPath
  /// The format of its content.
  public let format: MediaFormat

  /// Creates an asset, or returns `nil` if the file is missing or has another kind of content.
  public init?(of ref: RecordRef, file: ConfinedPath) {
    guard let start = try? FileSystem.readStart(file, count: 16),
      let format = MediaFormat(start: start), format.isPicture == (ref.kind != .stories)
    else { return nil }
    self.ref = ref
    self.file = file
    self.format = format
  }

  /// Returns the path of a record's picture or narration without the extension.
  static func stem(of ref: RecordRef) -> String {
    let folder =
      switch ref.kind {
      case .heroes: "pictures/heroes"
      case .stories: "narrations"
      default: "pictures/stories"
      }
    return "\(folder)/\(SafeName.of(ref))"
  }

  /// The path on a site and in a book.
  public var path: String {
    "\(Self.stem(of: ref)).\(format.fileExtension)"
  }
}

/// The pictures and narrations of a library that are on this machine.
public struct ShelfMedia: Sendable {
  /// The pictures of heroes.
  public var avatars: [RecordRef: Asset] = [:]
  /// The narrations of stories.
  public var narrations: [RecordRef: Asset] = [:]
  /// The pictures of stories in their order.
  public var scenes: [RecordRef: [Scene]] = [:]
  /// The records whose pictures and narrations the server has and this machine does not, by the
  /// hero or story that they belong to.
  public var missing: [RecordRef: [RecordRef]] = [:]

  /// The picture of a scene and its place in the story.
  public struct Scene: Sendable, Hashable {
    /// The picture.
    public var asset: Asset
    /// The description of what it shows, or nothing.
    public var text: String
    /// The number of its place among the story's pictures.
    public var order: Int
    /// The second of the narration at which it appears.
    public var time: Double?
    /// The number of seconds for which it is shown.
    public var duration: Double?

    /// Creates a scene.
    public init(asset: Asset, text: String, order: Int, time: Double?, duration: Double?) {
      self.asset = asset
      self.text = text
      self.order = order
      self.time = time
      self.duration = duration
    }
  }

  /// Creates media without any files.
  public init() {}
}

/// Names for files that every file system can hold, also that of a USB stick.
enum SafeName {
  /// Returns the name of a record with only such characters, which no other record has.
  ///
  /// Most names stay as they are. Others (`Ben?`, `CON`) get a part of their digest, so that names
  /// that differ only by case stay apart.
  static func of(_ ref: RecordRef) -> String {
    var full = ref.kind.folder
    return ref.name.split(separator: "/").map { part in
      full += "/" + part
      let slug = Slug.make(String(part), fallback: ref.kind.schema.noun)
      let isSafe = slug == part && part.utf8.allSatisfy { $0 < 0x80 }
      return isSafe ? slug : Slug.distinguished(slug, id: full)
    }.joined(separator: "/")
  }
}
