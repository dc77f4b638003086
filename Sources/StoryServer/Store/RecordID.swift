/// A record's id: opaque text, compared byte by byte.
///
/// `String` compares by canonical equivalence, which would make some different ids equal.
struct RecordID: Hashable, Comparable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (lhs: RecordID, rhs: RecordID) -> Bool {
    lhs.text.utf8.elementsEqual(rhs.text.utf8)
  }

  static func < (lhs: RecordID, rhs: RecordID) -> Bool {
    lhs.text.utf8.lexicographicallyPrecedes(rhs.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var copy = text
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
