import JSONText

/// What becomes of each element when a sequence turns into another one.
enum SequenceStep<Element: Hashable & Sendable>: Sendable, Equatable where Element: Equatable {
  /// It is in both.
  case kept(Element)
  /// It is only in the old one.
  case removed(Element)
  /// It is only in the new one.
  case added(Element)
}

extension SequenceDifference {
  /// The fewest steps from one sequence to another; in each place of change the removed elements come
  /// before the added ones.
  static func steps<Element: Hashable & Sendable>(
    from old: [Element], to new: [Element]
  ) -> [SequenceStep<Element>] {
    var steps: [SequenceStep<Element>] = []
    var (place, index) = (0, 0)
    for (nextPlace, nextIndex) in kept(old, new) + [(old.count, new.count)] {
      steps += old[place..<nextPlace].map { .removed($0) }
      steps += new[index..<nextIndex].map { .added($0) }
      if nextPlace < old.count { steps.append(.kept(old[nextPlace])) }
      (place, index) = (nextPlace + 1, nextIndex + 1)
    }
    return steps
  }
}
