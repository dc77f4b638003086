import JSONText
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
    guard let marked = MarkedVersions(bytes),
      let left = try? Sidecar(bytes: marked.ours.bytes, ref: ref),
      let right = try? Sidecar(bytes: marked.theirs.bytes, ref: ref)
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
  /// - Parameters:
  ///   - base: The common ancestor, or `nil` if it is unknown.
  ///   - isShared: Whether both versions are one server's. Of two embedded servers, the newer version
  ///     does not know what the other server has made, such as a portrait.
  package static func merge(
    _ left: Sidecar, _ right: Sidecar, base: Sidecar? = nil, isShared: Bool = true
  ) -> Sidecar? {
    guard left.id == right.id else { return nil }
    let isRightNewer = Sidecar.isVersion(left.updatedAt, before: right.updatedAt)
    var newer = isRightNewer ? right : left
    let older = isRightNewer ? left : right
    let base = base?.id == left.id ? base : nil
    if newer.updatedAt == older.updatedAt {
      newer.conflict = changed(newer.conflict, older.conflict, base?.conflict) ?? nil
      if newer.conflict == .deletedLocally, newer.serverChanges.isEmpty {
        newer.serverChanges = older.serverChanges
      }
      if let base, newer.refs == base.refs { newer.refs = older.refs }
    }
    if !isShared, let base {
      for member in older.server.members
      where newer.server[member.key] == base.server[member.key] {
        newer.server[member.key] = member.value
      }
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
