/// What becomes of each element when a sequence turns into another one.
enum SequenceStep<Element: Hashable & Sendable>: Sendable, Equatable where Element: Equatable {
  /// It is in both.
  case kept(Element)
  /// It is only in the old one.
  case removed(Element)
  /// It is only in the new one.
  case added(Element)
}

/// Finds the fewest steps from one sequence to another.
enum SequenceDifference {
  /// From how many comparisons on the middle of two sequences counts as replaced whole: they have
  /// too little in common to be worth the time, which grows with both lengths.
  static let limit = 4_000_000

  /// The steps; in each place of change the removed elements come before the added ones.
  static func steps<Element: Hashable & Sendable>(
    from old: [Element], to new: [Element]
  ) -> [SequenceStep<Element>] {
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter, old[start] == new[start] { start += 1 }
    var end = 0
    while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    let oldMiddle = Array(old[start..<old.count - end])
    let newMiddle = Array(new[start..<new.count - end])
    var steps = old[..<start].map { SequenceStep.kept($0) }
    steps += middle(oldMiddle, newMiddle)
    steps += old[(old.count - end)...].map { SequenceStep.kept($0) }
    return steps
  }

  private static func middle<Element: Hashable & Sendable>(
    _ old: [Element], _ new: [Element]
  ) -> [SequenceStep<Element>] {
    guard !old.isEmpty, !new.isEmpty, old.count <= limit / new.count else {
      return old.map { .removed($0) } + new.map { .added($0) }
    }
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var steps: [SequenceStep<Element>] = []
    var (place, index) = (0, 0)
    while place < old.count || index < new.count {
      if removed.contains(place) {
        steps.append(.removed(old[place]))
        place += 1
      } else if added.contains(index) {
        steps.append(.added(new[index]))
        index += 1
      } else {
        steps.append(.kept(old[place]))
        place += 1
        index += 1
      }
    }
    return steps
  }
}
