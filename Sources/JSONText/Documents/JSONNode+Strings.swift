extension JSONNode.Entry {
  /// The string of a string's entry, escapes resolved.
  func string(in text: UnsafeBufferPointer<UInt8>) -> String {
    let content = UnsafeBufferPointer(rebasing: text[content])
    guard hasEscapes else { return String(decoding: content, as: UTF8.self) }
    return String(unsafeUninitializedCapacity: content.count) {
      StringText.unescape(content, into: $0)
    }
  }

  /// Whether a string's entry holds `other`, byte for byte once escapes are resolved.
  func holdsString(
    _ other: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    withContent(in: text) { sameBytes($0, other) }
  }

  /// Calls `body` with the bytes of a string's entry, escapes resolved.
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
