/// A text that equals another one only if both have the same Unicode scalars.
struct ExactText: Hashable, Sendable {
  let text: String

  init(_ text: some StringProtocol) { self.text = String(text) }

  static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
