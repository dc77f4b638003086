import JSONText

/// Finds records that were renamed or moved: a new file here, a sidecar without its record there.
///
/// In this order: the content equals the base; it is the only pair of its kind with the same name or
/// title; (records with long text) it shares at least 70 % of its lines with exactly one candidate.
/// What is not found stays one new record and one missing.
struct RenameDetector {
  let library: Library
  let references: ReferenceTable

  /// The least share of lines that a moved and edited text has in common with its base.
  static let leastShare = 0.7

  private struct Candidate {
    var index: Int
    var values: FieldValues
    var lines: [String]
  }

  func apply(to entries: inout [ScanEntry]) {
    let new = entries.indices.filter { entries[$0].state == .pendingCreate }
    let gone = entries.indices.filter {
      entries[$0].state == .pendingDelete && !entries[$0].isDeleteStated && entries[$0].id != nil
    }
    guard !new.isEmpty, !gone.isEmpty else { return }
    var moved: [(new: Int, gone: Int)] = []
    var fresh = new.compactMap { load(entries[$0], at: $0) }
    var lost = gone.compactMap { loadBase(entries[$0], at: $0) }

    func take(_ pairs: [(new: Int, gone: Int)]) {
      moved += pairs
      fresh.removeAll { candidate in pairs.contains { $0.new == candidate.index } }
      lost.removeAll { candidate in pairs.contains { $0.gone == candidate.index } }
    }
    take(equalPairs(fresh, lost))
    take(onlyPairs(fresh, lost) { $0.values.title.map { Array($0.utf8) } })
    take(similarPairs(fresh, lost))

    let comparer = PairComparer(library: library, references: references)
    for (newIndex, goneIndex) in moved {
      let old = entries[goneIndex].ref
      var entry = comparer.entry(
        for: .init(ref: entries[newIndex].ref, record: .regular, sidecar: old))
      entry.renamedFrom = old
      entries[newIndex] = entry
    }
    let goneIndices = Set(moved.map(\.gone))
    entries = entries.enumerated().filter { !goneIndices.contains($0.offset) }.map(\.element)
  }

  /// Pairs of equal content, matched one to one in the order of their names.
  private func equalPairs(
    _ fresh: [Candidate], _ lost: [Candidate]
  ) -> [(new: Int, gone: Int)] {
    var byValue: [FieldValues: [Int]] = [:]
    for candidate in lost.reversed() {
      byValue[candidate.values, default: []].append(candidate.index)
    }
    return fresh.compactMap { candidate in
      byValue[candidate.values]?.popLast().map { (new: candidate.index, gone: $0) }
    }
  }

  /// Pairs that have a key in common which no other candidate has.
  private func onlyPairs<Key: Hashable>(
    _ fresh: [Candidate], _ lost: [Candidate], by key: (Candidate) -> Key?
  ) -> [(new: Int, gone: Int)] {
    func grouped(_ candidates: [Candidate]) -> [Key: [Int]] {
      candidates.reduce(into: [:]) { groups, candidate in
        if let key = key(candidate) { groups[key, default: []].append(candidate.index) }
      }
    }
    let lostByKey = grouped(lost)
    return grouped(fresh).compactMap { key, indices in
      guard indices.count == 1, let others = lostByKey[key], others.count == 1 else { return nil }
      return (new: indices[0], gone: others[0])
    }
  }

  private func similarPairs(
    _ fresh: [Candidate], _ lost: [Candidate]
  ) -> [(new: Int, gone: Int)] {
    var matches: [(new: Int, gone: Int)] = []
    for candidate in fresh where !candidate.lines.isEmpty {
      for other in lost where share(candidate.lines, other.lines) >= Self.leastShare {
        matches.append((candidate.index, other.index))
      }
    }
    return matches.filter { match in
      matches.filter { $0.new == match.new || $0.gone == match.gone }.count == 1
    }
  }

  /// The share of lines that two texts have in common, of the longer one's.
  private func share(_ left: [String], _ right: [String]) -> Double {
    guard !left.isEmpty, !right.isEmpty else { return 0 }
    var counts: [[UInt8]: Int] = [:]
    for line in left { counts[Array(line.utf8), default: 0] += 1 }
    var common = 0
    for line in right {
      let key = Array(line.utf8)
      guard let count = counts[key], count > 0 else { continue }
      counts[key] = count - 1
      common += 1
    }
    return Double(common) / Double(max(left.count, right.count))
  }

  private func load(_ entry: ScanEntry, at index: Int) -> Candidate? {
    guard let bytes = try? FileSystem.read(library.path(entry.ref.path)),
      let file = try? RecordFile(ref: entry.ref, bytes: bytes)
    else { return nil }
    return candidate(index, file.reading(references: references, sidecar: nil).values)
  }

  private func loadBase(_ entry: ScanEntry, at index: Int) -> Candidate? {
    guard let bytes = try? FileSystem.read(library.path(entry.sidecarPath)),
      let sidecar = try? Sidecar(bytes: bytes, ref: entry.ref)
    else { return nil }
    return candidate(index, sidecar.base)
  }

  private func candidate(_ index: Int, _ values: FieldValues) -> Candidate {
    let text = values.kind.schema.fields.first { $0.shape == .lines }.flatMap { values[$0]?.string }
    let lines = text.map { RecordFile.lines(of: $0).filter { !$0.isEmpty } } ?? []
    return Candidate(index: index, values: values, lines: lines)
  }
}
