import StoryLibrary
import StoryMedia
import StoryPages
import Synchronization

/// The shelf of a library as its files are now.
///
/// Each look lists the folders; records are read again only if a file has changed since the last one.
final class LiveShelf: Sendable {
  struct Moment: Sendable {
    var library: Library
    var shelf: Bookshelf
    var scan: Scan
    fileprivate var files: [MediaFile]
  }

  private let root: String
  private let context: Context
  /// The last moment that somebody looked at the files.
  private let moment = Mutex<Moment?>(nil)
  /// The pictures and narrations of the last moment by their paths.
  private let assets = Mutex<[String: Asset]>([:])

  init(_ library: Library, _ context: Context) {
    root = library.root
    self.context = context
  }

  /// Opens the library as it is now: its settings may have changed, or its folder may be gone.
  func library() throws -> Library { try Library(root: root) }

  /// Looks at the files.
  ///
  /// - Throws: as ``library()`` and `Scanner.scan()`; `FileError`.
  func current() throws -> Moment {
    let library = try library()
    return try moment.withLock { last in
      let scan = try context.scan(library, kinds: EntityKind.allCases, after: last?.scan)
      let files = try MediaStore(library, time: context.time).files()
      if let last, files == last.files, scan.entries == last.scan.entries {
        return Moment(library: library, shelf: last.shelf, scan: scan, files: files)
      }
      let shelf = try Bookshelf(library, scan, media: ShelfMedia(of: library, scan, files))
      let moment = Moment(library: library, shelf: shelf, scan: scan, files: files)
      last = moment
      let found = Dictionary(shelf.assets.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
      assets.withLock { $0 = found }
      return moment
    }
  }

  /// Returns the last moment that somebody looked at the files, without looking again.
  func last() throws -> Moment { try moment.withLock { $0 } ?? current() }

  /// Returns a picture or narration that a page has shown, or `nil`.
  func asset(_ path: String) -> Asset? { assets.withLock { $0[path] } }
}
