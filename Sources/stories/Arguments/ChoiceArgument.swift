import StoryLibrary

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
