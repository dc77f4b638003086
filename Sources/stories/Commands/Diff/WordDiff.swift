import JSONText

struct WordDiff: Sendable, Equatable {
  /// The segments in order; replaced words come before their replacements.
  let segments: [SequenceStep<String>]

  init(from old: String, to new: String) {
    self.init(from: Self.tokens(old), to: Self.tokens(new))
  }

  /// Creates the difference of two texts from their ``tokens(_:)``.
  init(from old: [ExactName], to new: [ExactName]) {
    segments = Self.joined(SequenceDifference.steps(from: old, to: new))
  }

  /// The share of both texts' letters that are unchanged, from 0 to 1.
  var similarity: Double {
    var (same, all) = (0, 0)
    for segment in segments {
      let count = segment.element.utf8.count { $0 != UInt8(ascii: " ") }
      all += segment.isKept ? 2 * count : count
      if segment.isKept { same += 2 * count }
    }
    return all == 0 ? 1 : Double(same) / Double(all)
  }

  /// Returns the segments as one text: in colour, or with git's marks `[-…-]` and `{+…+}`.
  func text(inColour: Bool) -> Text {
    var result = Text("")
    for segment in segments {
      switch segment {
      case .kept(let text): result.append(text)
      case .removed(let text):
        result.append(inColour ? text : "[-\(text)-]", inColour ? .struck : .removed)
      case .added(let text): result.append(inColour ? text : "{+\(text)+}", .added)
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

  /// Joins adjacent steps of one kind. A single space between two changes counts as changed, so
  /// that a rewritten phrase is one change.
  private static func joined(_ steps: [SequenceStep<ExactName>]) -> [SequenceStep<String>] {
    var result: [SequenceStep<String>] = []
    var (kept, removed, added) = ("", "", "")
    func flush() {
      if !kept.isEmpty { result.append(.kept(kept)) }
      if !removed.isEmpty { result.append(.removed(removed)) }
      if !added.isEmpty { result.append(.added(added)) }
      (kept, removed, added) = ("", "", "")
    }
    for (place, step) in steps.enumerated() {
      let text = step.element.string
      switch step {
      case .removed: removed += text
      case .added: added += text
      case .kept
      where text == " " && !removed.isEmpty && !added.isEmpty
        && place + 1 < steps.count && !steps[place + 1].isKept:
        removed += text
        added += text
      case .kept:
        if !removed.isEmpty || !added.isEmpty { flush() }
        kept += text
      }
    }
    flush()
    return result
  }
}

/// A step that turns one sequence into another.
enum SequenceStep<Element: Hashable & Sendable>: Sendable, Equatable {
  case kept(Element)
  case removed(Element)
  case added(Element)

  var element: Element {
    switch self {
    case .kept(let element), .removed(let element), .added(let element): element
    }
  }

  var isKept: Bool { if case .kept = self { true } else { false } }
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
