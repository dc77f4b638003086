public import StoryLibrary
import StoryMerge

extension ConflictResolver {
  /// A record whose sidecar has git's conflict markers and two ids: only a person knows which of
  /// the server's records it is.
  public struct SplitSidecar: Sendable, Hashable {
    /// One side.
    public struct Side: Sendable, Hashable {
      /// The server's id.
      public var id: String
      /// The server's revision.
      public var updatedAt: String
      /// The record's name or title on the server, or `nil` if it has none.
      public var title: String?

      init(_ sidecar: Sidecar) {
        id = sidecar.id
        updatedAt = sidecar.updatedAt
        title = sidecar.base.title
      }
    }

    /// The record.
    public var ref: RecordRef
    /// The sidecar's file, relative to the library's root.
    public var path: String
    /// The side of the branch that was checked out; ``Choice/local`` takes it.
    public var ours: Side
    /// The side of the branch that was merged in; ``Choice/server`` takes it.
    public var theirs: Side
  }

  /// Returns the sidecars for which a person has to choose the server's record.
  public func splitSidecars(in scan: Scan) -> [SplitSidecar] {
    let files = LibraryFiles(library: library)
    return scan.brokenSidecars.compactMap { entry in
      guard let bytes = try? files.read(entry.sidecarPath),
        let sides = SidecarSides(bytes, ref: entry.ref), sides.merged == nil
      else { return nil }
      return SplitSidecar(
        ref: entry.ref, path: entry.sidecarPath, ours: .init(sides.ours),
        theirs: .init(sides.theirs))
    }
  }
}
