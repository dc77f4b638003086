import StoryLibrary

/// A type that is parsed from a word of the command line.
protocol ArgumentValue: Sendable {
  /// The accepted words if there are only a few; help lists them and completion offers them.
  static var choices: [String] { get }

  /// Parses a word.
  ///
  /// - Throws: `ValueProblem` if the word is not a valid value.
  static func parse(_ word: String) throws(ValueProblem) -> Self
}

struct ValueProblem: Error, Sendable, Equatable {
  /// The expected value in words: “a whole number”.
  var expected: String
  /// The nearest valid word, or `nil` if none is similar.
  var nearest: String?
}

extension ArgumentValue {
  static var choices: [String] { [] }
}

extension String: ArgumentValue {
  static func parse(_ word: String) throws(ValueProblem) -> String { word }
}

extension Int: ArgumentValue {
  static func parse(_ word: String) throws(ValueProblem) -> Int {
    try parse(word, in: .min ... .max)
  }

  /// Parses a number within bounds.
  ///
  /// - Throws: `ValueProblem` that names the bounds; only the upper one if the number exceeds it.
  static func parse(_ word: String, in range: ClosedRange<Int>) throws(ValueProblem) -> Int {
    if let value = Int(word), range.contains(value) { return value }
    let digits = word.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    let isWhole = !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
    if isWhole, !word.hasPrefix("-"), range.upperBound == .max {
      throw ValueProblem(expected: "at most \(Int.max)")
    }
    let bounds =
      range.lowerBound == .min
      ? ""
      : range.upperBound < .max
        ? " from \(range.lowerBound) to \(range.upperBound)" : ", \(range.lowerBound) or more"
    throw ValueProblem(expected: "a whole number" + bounds)
  }
}

/// An enumeration whose cases are the accepted words.
protocol ChoiceArgument: ArgumentValue, CaseIterable, RawRepresentable<String> {}

extension ChoiceArgument {
  static var choices: [String] { allCases.map(\.rawValue) }

  static func parse(_ word: String) throws(ValueProblem) -> Self {
    guard let value = Self(rawValue: word) else { throw .oneOf(choices, not: word) }
    return value
  }
}

extension ValueProblem {
  static func oneOf(_ choices: [String], not word: String) -> ValueProblem {
    ValueProblem(
      expected: Phrases.list(choices, last: "or"), nearest: Nearest.match(word, among: choices))
  }
}
