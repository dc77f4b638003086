package import StoryLibrary

/// A merge of a sidecar's texts for git, which are two versions of one server's state.
public struct SidecarFileMerge: Sendable {
  /// The result of a merge.
  public enum Outcome: Sendable, Equatable {
    /// The newer version.
    case merged([UInt8])
    /// The sides have different ids; the text has both, between git's markers.
    case conflict([UInt8], ours: String, theirs: String)
  }

  /// The result of the merge.
  public let outcome: Outcome

  /// Merges the texts, or returns `nil` if a side is not a sidecar and must be merged by lines.
  ///
  /// - Parameters:
  ///   - ref: The sidecar's record.
  ///   - base: The common ancestor, which is ignored if it is not a sidecar.
  ///   - isShared: Whether both versions are one server's.
  package init?(
    _ ref: RecordRef, base baseText: [UInt8], ours: [UInt8], theirs: [UInt8], marks: MarkedText,
    isShared: Bool
  ) {
    guard let left = try? Sidecar(bytes: ours, ref: ref),
      let right = try? Sidecar(bytes: theirs, ref: ref)
    else { return nil }
    let base = try? Sidecar(bytes: baseText, ref: ref)
    if let merged = SidecarSides.merge(left, right, base: base, isShared: isShared) {
      // An unchanged side keeps its text.
      outcome = .merged(merged == left ? ours : merged == right ? theirs : merged.fileBytes)
    } else {
      let text = marks.file(base: baseText, ours: ours, theirs: theirs)
      outcome = .conflict(text, ours: left.id, theirs: right.id)
    }
  }
}
