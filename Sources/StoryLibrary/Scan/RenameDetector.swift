import JSONText

/// Detects renames and moves: a new file in one place, a sidecar without its record in another.
///
/// Matches, in this order: equal content and base; the only pair of the kind with the same name or
/// title; for records with long text, the only similar candidate (see ``SimilarTexts``). Unmatched
/// records remain one new and one missing record. A record that nobody here is known to have removed has
/// only the first.
struct RenameDetector {
  let library: Library
  let references: ReferenceTable

  /// - Parameter isTaken: Returns those of some records that nobody here is known to have removed.
  func apply(to entries: inout [ScanEntry], isTaken: ([ScanEntry]) -> Set<RecordRef>) {
    let new = entries.indices.filter { entries[$0].state.isNew }
    let gone = entries.indices.filter { entries[$0].isGone && !entries[$0].isDeleteStated }
    guard !new.isEmpty, !gone.isEmpty else { return }
    var fresh = new.compactMap { loadRecord(entries[$0].ref, at: $0) }
    var lost = gone.compactMap { loadBase(entries[$0], at: $0) }
    var moved = Self.equalPairs(fresh, lost)
    func dropMoved() {
      let (found, gone) = (Set(moved.map(\.new)), Set(moved.map(\.gone)))
      fresh.removeAll { found.contains($0.index) }
      lost.removeAll { gone.contains($0.index) }
    }
    dropMoved()
    if !fresh.isEmpty, !lost.isEmpty {
      let taken = isTaken(lost.map { entries[$0.index] })
      lost.removeAll { taken.contains(entries[$0.index].ref) }
      moved += Self.onlyPairs(fresh, lost)
      dropMoved()
      moved += SimilarTexts.pairs(fresh.map(\.lines), lost.map(\.lines)).map {
        (new: fresh[$0.left].index, gone: lost[$0.right].index)
      }
    }
    let comparer = PairComparer(library: library, references: references)
    for (newIndex, goneIndex) in moved {
      let old = entries[goneIndex].place
      let pair = FolderWalk.Pair(ref: entries[newIndex].ref, record: .regular, sidecar: old)
      entries[newIndex] = comparer.entry(for: pair)
    }
    entries.removeSubranges(RangeSet(moved.map(\.gone), within: entries))
  }

  // MARK: Candidates

  /// The digests and small values of a record that are needed for matching.
  private struct Candidate {
    var index: Int
    /// A digest of the fields except references and defaults, or `nil` if a value is malformed.
    var content: ContentDigest?
    var title: ContentDigest?
    var defaults: FieldValues
    /// The ids that references resolve to, and the names as written, by field key.
    var ids: JSONObject
    var names: JSONObject
    /// The digests of the nonempty lines.
    var lines: [ContentDigest] = []

    init(index: Int, _ values: FieldValues, names: JSONObject, isPlain: Bool) {
      self.index = index
      self.names = names
      defaults = FieldValues(kind: values.kind)
      ids = JSONObject()
      var content: [JSONValue] = []
      for field in values.kind.schema.fields {
        if field.defaultValue != nil {
          defaults[field] = values[field]
        } else if field.referencedKind != nil {
          ids[field.key] = values.effective(field)
        } else if case .number(let number) = values.effective(field), let whole = number.integer {
          content.append(.number(whole))
        } else {
          content.append(values.effective(field))
        }
        if field.shape == .lines, let text = values[field]?.string {
          lines = RecordFile.lines(of: text).lazy.filter { !$0.isEmpty }
            .map { ContentDigest($0.utf8) }
        }
      }
      if isPlain { self.content = ContentDigest(JSONValue.array(content).compactBytes) }
      if let title = values.title, !title.isEmpty { self.title = ContentDigest(title.utf8) }
    }

    func equals(_ base: Candidate) -> Bool {
      guard content != nil, content == base.content,
        defaults.changes(from: base.defaults).isEmpty
      else { return false }
      return ids.members.allSatisfy { member in
        if member.value == base.ids[member.key] ?? .null { return true }
        // The referenced record may have been renamed too.
        guard member.value.isNull, let name = names[member.key] else { return false }
        return name == base.names[member.key]
      }
    }
  }

  private func loadRecord(_ ref: RecordRef, at index: Int) -> Candidate? {
    guard let file = try? library.file(ref) else { return nil }
    let reading = file.reading(references: references, sidecar: nil)
    var names = JSONObject()
    for field in ref.kind.schema.references {
      if let name = file.document.root[field.key]?.value { names[field.key] = name }
    }
    return Candidate(
      index: index, reading.values, names: names, isPlain: reading.malformed.isEmpty)
  }

  private func loadBase(_ entry: ScanEntry, at index: Int) -> Candidate? {
    guard let sidecar = try? library.sidecar(of: entry) else { return nil }
    return Candidate(index: index, sidecar.base, names: sidecar.refs, isPlain: true)
  }

  // MARK: Pairs

  /// Pairs with equal content, matched one to one in name order.
  private static func equalPairs(
    _ fresh: [Candidate], _ lost: [Candidate]
  ) -> [(new: Int, gone: Int)] {
    var byContent: [ContentDigest: [Candidate]] = [:]
    for candidate in lost.reversed() {
      if let content = candidate.content { byContent[content, default: []].append(candidate) }
    }
    return fresh.compactMap { candidate in
      guard let content = candidate.content,
        let place = byContent[content]?.lastIndex(where: candidate.equals)
      else { return nil }
      let found = byContent[content]?.remove(at: place)
      return found.map { (new: candidate.index, gone: $0.index) }
    }
  }

  /// Pairs with the same name or title, if it is unique on both sides.
  private static func onlyPairs(
    _ fresh: [Candidate], _ lost: [Candidate]
  ) -> [(new: Int, gone: Int)] {
    func byTitle(_ candidates: [Candidate]) -> [ContentDigest: [Int]] {
      candidates.reduce(into: [:]) { groups, candidate in
        if let title = candidate.title { groups[title, default: []].append(candidate.index) }
      }
    }
    let others = byTitle(lost)
    return byTitle(fresh).compactMap { title, indices in
      guard indices.count == 1, let found = others[title], found.count == 1 else { return nil }
      return (new: indices[0], gone: found[0])
    }
  }
}
