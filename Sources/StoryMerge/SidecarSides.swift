package import StoryLibrary

/// The two versions of a sidecar with git's conflict markers.
package struct SidecarSides {
  /// The version of the current branch.
  package let ours: Sidecar
  /// The version of the branch being merged.
  package let theirs: Sidecar

  /// Parses the text, or returns `nil` if it has no markers or a side is not a sidecar.
  ///
  /// The section for the common ancestor (`|||||||`) belongs to neither side.
  package init?(_ bytes: [UInt8], ref: RecordRef) {
    var (ours, theirs): ([UInt8], [UInt8]) = ([], [])
    enum Part { case both, ours, base, theirs }
    var part = Part.both
    var markers = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.starts(with: "<<<<<<<".utf8) {
        part = .ours
        markers += 1
      } else if part != .both, line.starts(with: "|||||||".utf8) {
        part = .base
      } else if part != .both, line.starts(with: "=======".utf8) {
        part = .theirs
      } else if part == .theirs, line.starts(with: ">>>>>>>".utf8) {
        part = .both
      } else {
        if part == .both || part == .ours { ours += line + [0x0A] }
        if part == .both || part == .theirs { theirs += line + [0x0A] }
      }
    }
    guard markers > 0, part == .both, let left = try? Sidecar(bytes: ours, ref: ref),
      let right = try? Sidecar(bytes: theirs, ref: ref)
    else { return nil }
    self.ours = left
    self.theirs = right
  }

  /// The newer version with its base, or `nil` if the sides are of different records.
  package var merged: Sidecar? { Self.merge(ours, theirs) }

  /// Returns the newer of two versions, or `nil` if the ids differ.
  ///
  /// A requested delete is kept while the record is missing. For equal revisions, each side's
  /// changes are kept. So is a conflict on only one side, unless the base has it, which means that
  /// the other side settled it.
  ///
  /// - Parameter base: The common ancestor, or `nil` if it is unknown.
  package static func merge(_ left: Sidecar, _ right: Sidecar, base: Sidecar? = nil) -> Sidecar? {
    guard left.id == right.id else { return nil }
    let isRightNewer = Sidecar.isVersion(left.updatedAt, before: right.updatedAt)
    var newer = isRightNewer ? right : left
    let older = isRightNewer ? left : right
    let base = base?.id == left.id ? base : nil
    if newer.updatedAt == older.updatedAt {
      newer.conflict = changed(newer.conflict, older.conflict, base?.conflict) ?? nil
      if let base, newer.refs == base.refs { newer.refs = older.refs }
    }
    newer.isDeleteStated =
      changed(
        left.isDeleteStated ? true : nil, right.isDeleteStated ? true : nil,
        base?.isDeleteStated == true ? true : nil) ?? false
    return newer
  }

  /// Returns the side that differs from the base, or any if there is no base.
  private static func changed<Value: Equatable>(
    _ left: Value?, _ right: Value?, _ base: Value?
  ) -> Value? {
    guard let base else { return left ?? right }
    if left == base { return right }
    if right == base { return left }
    return left ?? right
  }
}
