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
  /// the other side settled it; fields in conflict are kept one by one.
  ///
  /// If `left` is older than the base, as when git picks a commit without those before it, the
  /// merged text lacks what the server had got in between, and `left` stays: with the revision of
  /// `right`, the next push would take that back. The next pull merges it instead.
  ///
  /// - Parameters:
  ///   - left: The version of the current branch.
  ///   - right: The version that is merged into it.
  ///   - base: The common ancestor, or `nil` if it is unknown.
  ///   - isShared: Whether both versions are one server's. Of two embedded servers, the newer version
  ///     does not know what the other server has made, such as a portrait.
  package static func merge(
    _ left: Sidecar, _ right: Sidecar, base: Sidecar? = nil, isShared: Bool = true
  ) -> Sidecar? {
    guard left.id == right.id else { return nil }
    let base = base?.id == left.id ? base : nil
    let lacks = base.map { Sidecar.isVersion(left.updatedAt, before: $0.updatedAt) } ?? false
    let isRightNewer = !lacks && Sidecar.isVersion(left.updatedAt, before: right.updatedAt)
    var newer = isRightNewer ? right : left
    let older = isRightNewer ? left : right
    if newer.updatedAt == older.updatedAt {
      (newer.conflict, newer.serverChanges) = conflict(newer, older, base)
      if let base, newer.refs == base.refs { newer.refs = older.refs }
    }
    if !isShared, let base {
      for member in older.server.members
      where newer.server[member.key] == base.server[member.key] {
        newer.server[member.key] = member.value
      }
    }
    newer.isDeleteStated = keeps(left, right, base) { $0.isDeleteStated }
    return newer
  }

  /// Returns the conflict of two versions of one revision, and what the server changed in a record that
  /// was deleted locally.
  private static func conflict(
    _ left: Sidecar, _ right: Sidecar, _ base: Sidecar?
  ) -> (Sidecar.Conflict?, [Sidecar.FieldConflict]) {
    func fields(_ of: (Sidecar) -> [Sidecar.FieldConflict]) -> [Sidecar.FieldConflict] {
      left.base.kind.schema.fields.compactMap { field in
        let sides = [left, right, base].map { $0.map(of)?.first { $0.wireKey == field.wireKey } }
        return changed(sides[0], sides[1], sides[2])
      }
    }
    // A record that is deleted on one side may have fields in conflict on the other.
    for delete: Sidecar.Conflict in [.deletedOnServer, .deletedLocally]
    where keeps(left, right, base, { $0.conflict == delete }) {
      return (delete, delete == .deletedLocally ? fields(\.fieldConflicts) : [])
    }
    let fields = fields { $0.conflict == .deletedLocally ? [] : $0.fieldConflicts }
    guard !fields.isEmpty else { return (nil, []) }
    let revisions = [left, right].compactMap { side in
      if case .fields(let updatedAt, _)? = side.conflict { updatedAt } else { nil }
    }
    return (.fields(updatedAt: revisions.first ?? left.updatedAt, fields), [])
  }

  /// Returns whether a merge has something: no side has removed it from the base, or one has added it.
  private static func keeps(
    _ left: Sidecar, _ right: Sidecar, _ base: Sidecar?, _ has: (Sidecar) -> Bool
  ) -> Bool {
    base.map(has) == true ? has(left) && has(right) : has(left) || has(right)
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
