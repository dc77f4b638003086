import JSONText

/// A step that turns one sequence into another.
enum SequenceStep<Element: Hashable & Sendable>: Sendable, Equatable {
  /// The element is in both.
  case kept(Element)
  /// The element is only in the old one.
  case removed(Element)
  /// The element is only in the new one.
  case added(Element)

  var keptElement: Element? {
    if case .kept(let element) = self { element } else { nil }
  }
}

extension SequenceDifference {
  /// Returns the fewest steps between two sequences; each change removes elements before adding.
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
