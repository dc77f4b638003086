import JSONText

/// The difference between two texts by words.
struct WordDiff: Sendable, Equatable {
  /// An unchanged, removed or added segment.
  struct Segment: Sendable, Equatable {
    enum Kind: Sendable {
      case same
      case removed
      case added
    }

    var kind: Kind
    var text: String
  }

  /// The segments in order; replaced words come before their replacements.
  let segments: [Segment]

  init(from old: String, to new: String) {
    self.init(from: Self.tokens(old), to: Self.tokens(new))
  }

  /// Creates the difference of two texts from their ``tokens(_:)``.
  init(from old: [ExactName], to new: [ExactName]) {
    let steps = SequenceDifference.steps(from: old, to: new)
    segments = Self.joined(
      steps.map { step in
        switch step {
        case .kept(let token): Segment(kind: .same, text: token.string)
        case .removed(let token): Segment(kind: .removed, text: token.string)
        case .added(let token): Segment(kind: .added, text: token.string)
        }
      })
  }

  /// The share of both texts' letters that are unchanged, from 0 to 1.
  var similarity: Double {
    var (same, all) = (0, 0)
    for segment in segments {
      let count = segment.text.utf8.count { $0 != UInt8(ascii: " ") }
      all += segment.kind == .same ? 2 * count : count
      if segment.kind == .same { same += 2 * count }
    }
    return all == 0 ? 1 : Double(same) / Double(all)
  }

  /// Returns the segments as one text: in colour, or with git's marks `[-…-]` and `{+…+}`.
  func text(inColour: Bool) -> Text {
    var result = Text("")
    for segment in segments {
      switch segment.kind {
      case .same: result.append(segment.text)
      case .removed:
        result.append(
          inColour ? segment.text : "[-\(segment.text)-]", inColour ? .struck : .removed)
      case .added: result.append(inColour ? segment.text : "{+\(segment.text)+}", .added)
      }
    }
    return result
  }

  /// Returns words, runs of spaces, and all other characters one by one.
  static func tokens(_ text: String) -> [ExactName] {
    var tokens: [ExactName] = []
    var rest = text[...]
    while let first = rest.first {
      let token: Substring
      if first.isLetter || first.isNumber {
        token = rest.prefix { $0.isLetter || $0.isNumber || $0 == "'" || $0 == "’" }
      } else if first == " " {
        token = rest.prefix { $0 == " " }
      } else {
        token = rest.prefix(1)
      }
      tokens.append(ExactName(String(token)))
      rest = rest[token.endIndex...]
    }
    return tokens
  }

  /// Joins adjacent segments of one kind. A single space between two changes counts as changed, so
  /// that a rewritten phrase is one change.
  private static func joined(_ steps: [Segment]) -> [Segment] {
    var result: [Segment] = []
    var (removed, added) = ("", "")
    func flush() {
      if !removed.isEmpty { result.append(Segment(kind: .removed, text: removed)) }
      if !added.isEmpty { result.append(Segment(kind: .added, text: added)) }
      (removed, added) = ("", "")
    }
    for (place, step) in steps.enumerated() {
      switch step.kind {
      case .removed: removed += step.text
      case .added: added += step.text
      case .same:
        let isInside =
          !removed.isEmpty && !added.isEmpty && step.text == " " && place + 1 < steps.count
          && steps[place + 1].kind != .same
        if isInside {
          removed += step.text
          added += step.text
          continue
        }
        flush()
        if result.last?.kind == .same {
          result[result.count - 1].text += step.text
        } else {
          result.append(step)
        }
      }
    }
    flush()
    return result
  }
}

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
