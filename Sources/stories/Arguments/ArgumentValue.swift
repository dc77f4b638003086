/// A type that a word of the command line can stand for.
protocol ArgumentValue: Sendable {
  /// The words that are taken, where there are only a few; they are listed in help and completed.
  static var choices: [String] { get }

  /// Reads a word.
  ///
  /// - Throws: `ValueProblem` where the word stands for no value.
  static func parse(_ word: String) throws(ValueProblem) -> Self
}

/// Why a word is no value of the type that is asked for.
struct ValueProblem: Error, Sendable, Equatable {
  /// What should stand there, in words: “a whole number”.
  var expected: String
  /// The nearest right word; `nil` where none is near.
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
    guard let value = Int(word) else { throw ValueProblem(expected: "a whole number") }
    return value
  }
}
