import StoryLibrary

/// The states of records after an earlier version was restored.
struct RestoredState {
  private let count: Int
  /// The number of records that differ from the last synced version.
  private var edits = 0
  private var conflicts: [RecordRef] = []

  init(_ refs: [RecordRef], _ scan: Scan) {
    count = refs.count
    for ref in refs {
      guard let entry = scan.entry(ref) else { continue }
      switch entry.state {
      case .conflict: conflicts.append(ref)
      case .synced, .notCheckedOut: break
      default: edits += 1
      }
    }
  }

  /// Says what the next push sends, and what is to be resolved first.
  func note(_ context: Context) {
    if edits > 0 {
      let subject =
        count == 1 ? "This now counts" : edits == count ? "These now count" : "\(edits) now count"
      let edit = edits == 1 ? "as your edit" : "as your edits"
      context.note(
        Text("\(subject) \(edit); the next push sends \(Phrases.them(edits)).", .faint))
    }
    if let first = conflicts.first {
      let ref = conflicts.count == 1 ? first.word : "REF"
      context.note(Text("In conflict again: stories resolve \(ref)", .faint))
    }
    if edits == 0, conflicts.isEmpty {
      context.note(Text("In sync again; nothing to send.", .faint))
    }
  }
}
