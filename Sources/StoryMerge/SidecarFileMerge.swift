package import StoryLibrary

/// Merge of the texts of a sidecar, as git asks for one: two truths about one server.
public struct SidecarFileMerge: Sendable {
  /// What comes out.
  public enum Outcome: Sendable, Equatable {
    /// The newer truth.
    case merged([UInt8])
    /// The sides name two records of the server; the text has both, with git's markers.
    case conflict([UInt8], ours: String, theirs: String)
  }

  private let base: Sidecar?
  private let texts: (base: [UInt8], ours: [UInt8], theirs: [UInt8])
  private let ours: Sidecar
  private let theirs: Sidecar
  private let marks: MarkedText

  /// Reads the texts; `nil` where one side is no sidecar, so that only lines can be merged.
  ///
  /// - Parameters:
  ///   - ref: the record that the sidecar belongs to.
  ///   - base: what both sides started from; whatever is no sidecar counts as unknown.
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

  /// Merges.
  public var outcome: Outcome {
    if let merged = SidecarSides.merge(ours, theirs, base: base) {
      // What is equal stays as it is written.
      if merged == ours { return .merged(texts.ours) }
      return .merged(merged == theirs ? texts.theirs : merged.fileBytes)
    }
    let text = MarkedFile(marks: marks).text(
      base: texts.base, ours: texts.ours, theirs: texts.theirs)
    return .conflict(text, ours: ours.id, theirs: theirs.id)
  }
}
