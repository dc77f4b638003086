/// Parses texts one after the other in the same memory, for a look at each.
///
/// Where very many small texts are read, making room for each takes longer than parsing it. The text
/// and what was found in it belong to the scratch, so that a view of them cannot outlive either.
package struct JSONScratch: ~Copyable {
  /// The room for texts, of which the first ``count`` bytes are the one that is there.
  private var room: [UInt8] = []
  private var count = 0
  /// What was found in the text; empty where it has not been parsed.
  private var entries: [JSONNode.Entry] = []

  package init() {}

  /// Puts another text in place of the one that was there.
  ///
  /// - Parameters:
  ///   - size: how many bytes there must be room for.
  ///   - write: writes them and returns how many they are, at most `size`.
  package mutating func fill(
    _ size: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) {
    if room.count < size {
      room = Array(repeating: 0, count: Swift.max(2 * size, 1 << 14))
    }
    entries.removeAll(keepingCapacity: true)
    count = room.withUnsafeMutableBufferPointer {
      min(size, write(UnsafeMutableBufferPointer(rebasing: $0[..<size])))
    }
  }

  /// Calls `body` with the bytes of the text, which must not be kept.
  package borrowing func withText<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    room.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[..<count])) }
  }

  /// Parses the text as ``JSONDocument`` does.
  ///
  /// - Returns: whether it is JSON.
  package mutating func parse() -> Bool {
    var found: [JSONNode.Entry] = []
    swap(&found, &entries)
    let isJSON = withText { text in
      var parser = JSONParser(text: text)
      return parser.parse(into: &found)
    }
    swap(&found, &entries)
    return isJSON
  }

  /// Calls `body` with a view of the text's one value, which must not be kept; `nil` where the text
  /// has not been parsed, or is no JSON.
  package borrowing func withView<Result>(_ body: (JSONView) -> Result) -> Result? {
    guard !entries.isEmpty else { return nil }
    return withText { text in
      entries.withUnsafeBufferPointer { body(JSONView(text: text, entries: $0, index: 0)) }
    }
  }

  /// The text as a document of its own, without parsing it again; `nil` as for ``withView(_:)``.
  package borrowing func document() -> JSONDocument? {
    entries.isEmpty ? nil : JSONDocument(bytes: withText { Array($0) }, entries: entries)
  }
}
