extension JSONNode.Entry {
  func string(in text: UnsafeBufferPointer<UInt8>) -> String {
    let content = UnsafeBufferPointer(rebasing: text[content])
    guard hasEscapes else { return String(decoding: content, as: UTF8.self) }
    return String(unsafeUninitializedCapacity: content.count) {
      StringText.unescape(content, into: $0)
    }
  }

  /// Returns whether the unescaped string of an entry equals `other`.
  func holdsString(
    _ other: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    withContent(in: text) { sameBytes($0, other) }
  }

  /// Calls `body` with the unescaped bytes of a string entry.
  @inline(__always)
  func withContent<Result>(
    in text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let content = UnsafeBufferPointer(rebasing: text[content])
    guard hasEscapes else { return body(content) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: content.count) { resolved in
      let count = StringText.unescape(content, into: resolved)
      return body(UnsafeBufferPointer(rebasing: resolved[..<count]))
    }
  }
}
