import JSONText

/// Reads pairs that follow each other, and finds those that are plainly in sync; see
/// ``PlainComparison``.
///
/// Each thread has its own, for its folders and its memory serve one pair after the other.
struct PlainPairReader: ~Copyable {
  /// What can be said of a pair.
  enum Answer {
    /// It is plainly in sync, and this is all that there is to say.
    case plain(PairComparer.Outcome)
    /// These are its texts; what they mean is for others to say.
    case texts(record: Text, sidecar: Text)
    /// Nothing: who asks has to read the files in the way that tells what is wrong.
    case none
  }

  /// A file that was read.
  struct Text {
    var document: JSONDocument
    /// The key that it had before.
    var key: FileKey
  }

  private let references: ReferenceTable
  private var comparison: PlainComparison
  private var records: FolderReader
  private var sidecars: FolderReader

  init(root: String, references: ReferenceTable) {
    self.references = references
    comparison = PlainComparison(.heroes, references: references)
    records = FolderReader(root: root, isSidecar: false)
    sidecars = FolderReader(root: root, isSidecar: true)
  }

  /// Reads the two files of a pair.
  mutating func read(_ pair: FolderWalk.Pair) -> Answer {
    guard pair.record == .regular, pair.hasPlainSidecar else { return .none }
    let ref = pair.ref
    guard let sidecarKey = sidecars.read(ref), let recordKey = records.read(ref),
      sidecars.text.parse(), records.text.parse()
    else { return .none }
    if comparison.kind != ref.kind {
      comparison = PlainComparison(ref.kind, references: references)
    }
    guard let match = match() else {
      guard let record = records.text.document(), let sidecar = sidecars.text.document() else {
        return .none
      }
      return .texts(
        record: Text(document: record, key: recordKey),
        sidecar: Text(document: sidecar, key: sidecarKey))
    }
    var outcome = PairComparer.Outcome(entry: ScanEntry(ref: ref, state: .synced))
    outcome.record = recordKey
    outcome.sidecar = sidecarKey
    outcome.targets = match.targets
    outcome.entry.obstacle = pair.record
    outcome.entry.digest = records.text.withText { ContentDigest($0) }
    outcome.entry.sidecarDigest = sidecars.text.withText { ContentDigest($0) }
    outcome.entry.identity = match.identity
    return .plain(outcome)
  }

  private borrowing func match() -> PlainComparison.Match? {
    sidecars.text.withView { sidecar in
      records.text.withView { comparison.match(record: $0, sidecar: sidecar) } ?? nil
    } ?? nil
  }
}
