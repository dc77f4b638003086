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

  private let base: Sidecar?
  private let texts: (base: [UInt8], ours: [UInt8], theirs: [UInt8])
  private let ours: Sidecar
  private let theirs: Sidecar
  private let marks: MarkedText

  /// Parses the texts, or returns `nil` if a side is not a sidecar and must be merged by lines.
  ///
  /// - Parameters:
  ///   - ref: The sidecar's record.
  ///   - base: The common ancestor, which is ignored if it is not a sidecar.
  package init?(
    _ ref: RecordRef, base: [UInt8], ours: [UInt8], theirs: [UInt8], marks: MarkedText
  ) {
    guard let left = try? Sidecar(bytes: ours, ref: ref),
      let right = try? Sidecar(bytes: theirs, ref: ref)
    else { return nil }
    self.base = try? Sidecar(bytes: base, ref: ref)
    texts = (base, ours, theirs)
    self.ours = left
    self.theirs = right
    self.marks = marks
  }

  /// The result of the merge.
  public var outcome: Outcome {
    if let merged = SidecarSides.merge(ours, theirs, base: base) {
      // An unchanged side keeps its text.
      if merged == ours { return .merged(texts.ours) }
      return .merged(merged == theirs ? texts.theirs : merged.fileBytes)
    }
    let text = MarkedFile(marks: marks).text(
      base: texts.base, ours: texts.ours, theirs: texts.theirs)
    return .conflict(text, ours: ours.id, theirs: theirs.id)
  }
}
