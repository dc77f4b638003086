package import StoryLibrary

/// The two versions of a sidecar in which git left conflict markers.
package struct SidecarSides {
  /// The version of the branch that was checked out.
  package let ours: Sidecar
  /// The version that was merged in.
  package let theirs: Sidecar

  /// Takes the text apart; `nil` where it has no markers or a side is no sidecar.
  ///
  /// The section that git adds for the common ancestor (`|||||||`) belongs to neither side.
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

  /// What both say of one server's record: the newer version with its base; `nil` where they speak
  /// of two records.
  package var merged: Sidecar? { Self.merge(ours, theirs) }

  /// Two truths about one server: the newer one; `nil` where the ids differ.
  ///
  /// A delete that somebody stated stays stated, for as long as the record is gone. Of one version, what
  /// one side changed stays; a conflict that only one side knows of stays as well, unless the version
  /// that both come from had it, so that the other side settled it.
  ///
  /// - Parameter base: what both sides come from; `nil` where that is not known.
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

  /// The side that differs from the base, else what either has.
  private static func changed<Value: Equatable>(
    _ left: Value?, _ right: Value?, _ base: Value?
  ) -> Value? {
    guard let base else { return left ?? right }
    if left == base { return right }
    if right == base { return left }
    return left ?? right
  }
}
