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
    try parse(word, in: .min ... .max)
  }

  /// Reads a number within bounds.
  ///
  /// - Throws: `ValueProblem` that names the bounds, the upper one only for a number past it.
  static func parse(_ word: String, in range: ClosedRange<Int>) throws(ValueProblem) -> Int {
    if let value = Int(word), range.contains(value) { return value }
    let digits = word.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    let isWhole = !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
    if isWhole, !word.hasPrefix("-"), range.upperBound == .max {
      throw ValueProblem(expected: "at most \(Int.max)")
    }
    let lower = range.lowerBound == .min ? "" : " from \(range.lowerBound)"
    throw ValueProblem(
      expected: "a whole number" + lower
        + (range.upperBound < .max ? " to \(range.upperBound)" : lower.isEmpty ? "" : " on"))
  }
}
