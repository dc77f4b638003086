public import StoryLibrary

/// A shelf as a book for e-readers: EPUB 3.2, with one chapter for each story.
///
/// The same library gives the same bytes.
public struct Book: Sendable {
  private let shelf: Bookshelf

  /// Creates the book of a shelf.
  public init(_ shelf: Bookshelf) { self.shelf = shelf }

  /// The folder of everything but the files that EPUB itself wants.
  static let folder = "stories"

  /// Writes the book.
  ///
  /// - Parameters:
  ///   - file: The absolute path of the file. A book of an earlier export is replaced, unless it was
  ///     edited.
  ///   - isDryRun: Whether only to check and report what would be written.
  ///   - progress: Called with the number of chapters written and their total.
  /// - Throws: ``ExportError``, `FileError`, errors of `progress`.
  public func export(
    to file: String, isDryRun: Bool = false, progress: (Int, Int) throws -> Void = { _, _ in }
  ) throws -> BookReport {
    guard !shelf.stories.isEmpty else { throw ExportError.nothing }
    try Self.check(file)
    var report = BookReport()
    report.leftOut = shelf.stories.flatMap(shelf.assets).filter { !$0.format.isOfBooks }.map(\.ref)
    guard !isDryRun else { return report }
    let output = try OutputFile(file)
    var writer = ZIPWriter(output)
    try writer.add("mimetype", Array("application/epub+zip".utf8))
    try writer.add(
      "META-INF/container.xml", MarkupWriter.document(.xml, isPage: false, BookPackage.container))
    try writeContent(to: &writer, progress)
    try writer.finish()
    report.isChanged = try output.commit(isFlushed: true)
    report.size = output.size
    return report
  }

  /// Refuses to replace anything but a book of an earlier export or an empty file.
  private static func check(_ file: String) throws {
    guard let status = try FileSystem.status(file) else { return }
    guard status.type == .regular, try status.size == 0 || ZIPWriter.isUnedited(file)
    else { throw ExportError.foreignFile(file) }
  }

  /// The picture on the cover: that of the only hero, else the first of a story, else of a hero.
  private var cover: Asset? {
    let avatars = shelf.heroes.compactMap { shelf.media.avatars[$0.ref] }.filter(\.format.isOfBooks)
    if shelf.heroes.count == 1, let avatar = avatars.first { return avatar }
    let scene = shelf.stories.lazy.flatMap { shelf.media.scenes[$0.ref] ?? [] }.map(\.asset)
      .first(where: \.format.isOfBooks)
    return scene ?? avatars.first
  }

  private func writeContent(
    to writer: inout ZIPWriter, _ progress: (Int, Int) throws -> Void
  ) throws {
    func add(_ path: String, _ bytes: [UInt8]) throws {
      try writer.add("\(Self.folder)/\(path)", bytes)
    }
    try add("style.css", Array(StyleSheet.books.utf8))
    let cover = BookCover(shelf: shelf, picture: cover)
    if cover.picture == nil { try add(BookCover.drawingPath, cover.drawing) }
    try add(BookCover.path, MarkupWriter.document(.xml, cover.page))
    var package = BookPackage(shelf: shelf, cover: cover.picture)
    for (number, story) in shelf.stories.enumerated() {
      try progress(number, shelf.stories.count)
      let chapter = BookChapter(content: try shelf.content(of: story))
      try add(chapter.path, MarkupWriter.document(.xml, chapter.page))
      if let overlay = chapter.overlay {
        try add(chapter.overlayPath, MarkupWriter.document(.xml, isPage: false, overlay))
      }
      package.add(chapter)
    }
    for asset in package.assets {
      try writer.add("\(Self.folder)/\(asset.path)", file: asset.file)
    }
    try add("nav.xhtml", MarkupWriter.document(.xml, package.navigation))
    try add("package.opf", MarkupWriter.document(.xml, isPage: false, package.markup))
  }
}

/// The result of writing a book.
public struct BookReport: Sendable, Hashable {
  /// The size in bytes.
  public var size = 0
  /// Whether the file was written; `false` if it was the same already.
  public var isChanged = false
  /// The records whose picture or narration has a format that not all e-readers support.
  public var leftOut: [RecordRef] = []
}
