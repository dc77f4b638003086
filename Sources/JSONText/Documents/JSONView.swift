/// A value in a document's text without a reference to the document, for fast access.
///
/// It must not outlive the call of ``JSONNode/withView(_:)`` that provided it.
struct JSONView {
  let text: UnsafeBufferPointer<UInt8>
  let entries: UnsafeBufferPointer<JSONNode.Entry>
  /// The index of the value's entry, which identifies it in its document.
  let index: Int

  init(
    text: UnsafeBufferPointer<UInt8>, entries: UnsafeBufferPointer<JSONNode.Entry>, index: Int
  ) {
    self.text = text
    self.entries = entries
    self.index = index
  }

  var entry: JSONNode.Entry { entries[index] }

  var kind: JSONNode.Kind { entry.kind }

  /// The bytes of the value, including quotes and brackets.
  var bytes: UnsafeBufferPointer<UInt8> {
    let entry = entry
    return UnsafeBufferPointer(rebasing: text[Int(entry.start)..<Int(entry.end)])
  }

  /// Returns another value of the same document.
  func at(_ index: Int) -> JSONView {
    JSONView(text: text, entries: entries, index: index)
  }

  /// An iterator over the children of an array or object; a scalar has none.
  struct Children {
    private let container: JSONView
    let isObject: Bool
    /// The entry index of the next child: of its value in an array, of its name in an object.
    private var place: Int
    /// The entry index of the last child returned, like ``place``.
    private var last: Int
    private let end: Int

    init(of container: JSONView) {
      self.container = container
      isObject = container.kind == .object
      place = container.index + 1
      last = place
      end = Int(container.entry.next)
    }

    var isEmpty: Bool { place == end }

    /// Returns the next child, or `nil` after the last one.
    @inline(__always)
    mutating func next() -> JSONView? {
      guard place < end else { return nil }
      last = place
      let value = container.at(isObject ? place + 1 : place)
      place = Int(value.entry.next)
      return value
    }

    /// The name of the member that ``next()`` returned last.
    var nameView: JSONView { container.at(last) }
  }
}

extension JSONNode {
  /// Calls `body` with a view of this value, which must not escape.
  func withView<Result>(_ body: (JSONView) -> Result) -> Result {
    let storage = document.storage
    return storage.bytes.withUnsafeBufferPointer { text in
      storage.entries.withUnsafeBufferPointer { entries in
        body(JSONView(text: text, entries: entries, index: index))
      }
    }
  }
}
