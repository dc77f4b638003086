extension JSONNode {
  /// Returns whether two values are equal in the sense of ``JSONValue``. Neither is extracted from
  /// its text, which would be most of the cost.
  public func isSame(as other: JSONNode) -> Bool {
    withView { left in other.withView { right in left.isSame(as: right) } }
  }

  /// Returns whether this is an array of strings that equals a string when joined by line feeds.
  ///
  /// - Parameter whole: The node of that string.
  public func isSplit(of whole: JSONNode) -> Bool {
    guard kind == .array, whole.kind == .string else { return false }
    return withView { lines in
      whole.withView { whole in
        whole.entry.withContent(in: whole.text) { lines.isSplit(of: $0) }
      }
    }
  }
}

extension JSONView {
  fileprivate func isSame(as other: JSONView) -> Bool {
    switch (kind, other.kind) {
    case (.string, .string):
      return entry.withContent(in: text) { other.entry.holdsString($0, in: other.text) }
    case (.number, .number):
      return sameBytes(bytes, other.bytes)
        || JSONNumber(unchecked: String(decoding: bytes, as: UTF8.self))
          == JSONNumber(unchecked: String(decoding: other.bytes, as: UTF8.self))
    case (.array, .array): return isSameArray(as: other)
    case (.object, .object): return value == other.value
    default: return kind == other.kind
    }
  }

  /// Compares scalars in their texts. Nested values are extracted, so that depth needs no stack.
  private func isSameArray(as other: JSONView) -> Bool {
    var (left, right) = (element(after: nil), other.element(after: nil))
    while let element = left {
      guard let counterpart = right else { return false }
      let isNested = element.kind == .array || element.kind == .object
      guard isNested ? element.value == counterpart.value : element.isSame(as: counterpart) else {
        return false
      }
      (left, right) = (self.element(after: element), other.element(after: counterpart))
    }
    return right == nil
  }

  fileprivate func isSplit(of whole: UnsafeBufferPointer<UInt8>) -> Bool {
    var start = 0
    var previous: JSONView?
    while let line = element(after: previous) {
      guard line.kind == .string else { return false }
      if previous != nil {
        guard start < whole.count, whole[start] == UInt8(ascii: "\n") else { return false }
        start += 1
      }
      previous = line
      let isNext = line.entry.withContent(in: line.text) { content in
        guard content.count <= whole.count - start else { return false }
        let rest = UnsafeBufferPointer(rebasing: whole[start..<start + content.count])
        start += content.count
        return sameBytes(content, rest)
      }
      guard isNext else { return false }
    }
    return start == whole.count
  }
}
