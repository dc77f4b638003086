import JSONText

struct WordDiff: Sendable, Equatable {
  enum Segment: Sendable, Equatable {
    case kept(String)
    case removed(String)
    case added(String)

    var text: String {
      switch self {
      case .kept(let text), .removed(let text), .added(let text): text
      }
    }

    var isKept: Bool { if case .kept = self { true } else { false } }
  }

  /// The segments in order; replaced words come before their replacements.
  private(set) var segments: [Segment] = []

  init(from old: String, to new: String) {
    self.init(from: Self.tokens(old), to: Self.tokens(new))
  }

  /// Creates the difference of two texts from their ``tokens(_:)``. A single space between two replaced
  /// words counts as changed, so that a rewritten phrase is one change.
  init(from old: [ExactName], to new: [ExactName]) {
    func text(_ tokens: ArraySlice<ExactName>) -> String { tokens.map(\.string).joined() }
    let changes = SequenceDifference.changes(from: old, to: new) { token, change in
      token.string == " " && !change.old.isEmpty && !change.new.isEmpty
    }
    var end = 0
    for change in changes {
      segments.append(.kept(text(old[end..<change.old.lowerBound])))
      segments.append(.removed(text(old[change.old])))
      segments.append(.added(text(new[change.new])))
      end = change.old.upperBound
    }
    segments.append(.kept(text(old[end...])))
    segments.removeAll(where: \.text.isEmpty)
  }

  /// The share of both texts' letters that are unchanged, from 0 to 1.
  var similarity: Double {
    var (same, all) = (0, 0)
    for segment in segments {
      let count = segment.text.utf8.count { $0 != UInt8(ascii: " ") }
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
}

extension SequenceDifference {
  typealias Change = (old: Range<Int>, new: Range<Int>)

  /// Returns the parts in which two sequences differ, in order.
  ///
  /// - Parameter joins: Returns whether one kept element does not separate the change before it from
  ///   the one after it.
  static func changes<Element: Hashable>(
    from old: [Element], to new: [Element], joinedBy joins: (Element, Change) -> Bool
  ) -> [Change] {
    var changes: [Change] = []
    var (place, index) = (0, 0)
    for (nextPlace, nextIndex) in kept(old, new) + [(old.count, new.count)] {
      if place < nextPlace || index < nextIndex {
        var change = (old: place..<nextPlace, new: index..<nextIndex)
        if let last = changes.last, last.old.upperBound == place - 1, joins(old[place - 1], last) {
          change = (last.old.lowerBound..<nextPlace, last.new.lowerBound..<nextIndex)
          changes.removeLast()
        }
        changes.append(change)
      }
      (place, index) = (nextPlace + 1, nextIndex + 1)
    }
    return changes
  }
}
