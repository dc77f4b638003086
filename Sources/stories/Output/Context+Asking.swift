/// An answer to a question that one key answers.
struct KeyAnswer: Sendable {
  /// The key, in lower case.
  var key: Character
  /// The word to show after the key was pressed; it begins with the key.
  var word: String
  /// The label in the question, with the key in brackets.
  var label: String
  var explanation: String

  init(_ word: String, label: String? = nil, _ explanation: String) {
    key = word.first ?? "q"
    self.word = word
    self.label = label ?? "[\(key)]" + word.dropFirst()
    self.explanation = explanation
  }

  static let later = KeyAnswer("not now", "it stays in conflict")
  static let leave = KeyAnswer("quit", "quit; the rest stays in conflict")
}

extension Context {
  /// Asks until the key of an answer is pressed; the end of the input counts as `q`.
  ///
  /// - Throws: `CancellationError` for Ctrl-C.
  func ask(_ answers: [KeyAnswer]) throws(CancellationError) -> Character {
    while true {
      let long = (answers.map(\.label) + ["[?]"]).joined(separator: "  ")
      let short = (answers.map { String($0.key) } + ["?"]).joined(separator: "/")
      let question = long.count + 4 < output.width ? long : short
      output.bytes(Array(output.rendered(Text(question, .strong) + " › ").utf8))
      output.sink.flush()
      guard let key = input.readKey() else {
        output.line()
        return "q"
      }
      if key == "\u{3}" {
        output.line()
        throw CancellationError()
      }
      let small = Character(key.lowercased())
      if let answer = answers.first(where: { $0.key == small }) {
        output.line(Text(answer.word, .changed))
        return answer.key
      }
      output.line()
      for answer in answers {
        output.wrapped(
          Text(answer.explanation), lead: Text("  ") + Text(String(answer.key), .changed) + "  ")
      }
    }
  }
}
