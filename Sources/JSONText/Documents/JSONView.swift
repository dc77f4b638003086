/// A value inside a document's text, without the reference that keeps the document: for looking at
/// many values at no cost but that of looking.
///
/// It holds only as long as the call that it was given in; see ``JSONNode/withView(_:)``.
struct JSONView {
  let text: UnsafeBufferPointer<UInt8>
  let entries: UnsafeBufferPointer<JSONNode.Entry>
  /// The place of the value among the entries: what tells it from others of its document.
  let index: Int

  init(
    text: UnsafeBufferPointer<UInt8>, entries: UnsafeBufferPointer<JSONNode.Entry>, index: Int
  ) {
    self.text = text
    self.entries = entries
    self.index = index
  }

  var entry: JSONNode.Entry { entries[index] }

  /// What it holds.
  var kind: JSONNode.Kind { entry.kind }

  /// The bytes of the value, quotes and brackets included.
  var bytes: UnsafeBufferPointer<UInt8> {
    let entry = entry
    return UnsafeBufferPointer(rebasing: text[Int(entry.start)..<Int(entry.end)])
  }

  /// Another value of the same document.
  func at(_ index: Int) -> JSONView {
    JSONView(text: text, entries: entries, index: index)
  }

  /// The children of an array or object, each passed once; a scalar has none.
  struct Children {
    private let container: JSONView
    let isObject: Bool
    /// The entry of the next child: that of its value in an array, of its name in an object.
    private var place: Int
    /// The entry of the child that was passed last, as ``place``.
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

    /// Goes on to the next child; `nil` behind the last one.
    @inline(__always)
    mutating func next() -> JSONView? {
      guard place < end else { return nil }
      last = place
      let value = container.at(isObject ? place + 1 : place)
      place = Int(value.entry.next)
      return value
    }

    /// The name of the member that ``next()`` gave last, a string.
    var nameView: JSONView { container.at(last) }
  }
}

extension JSONNode {
  /// Calls `body` with a view of this value, which must not be kept.
  func withView<Result>(_ body: (JSONView) -> Result) -> Result {
    let storage = document.storage
    return storage.bytes.withUnsafeBufferPointer { text in
      storage.entries.withUnsafeBufferPointer { entries in
        body(JSONView(text: text, entries: entries, index: index))
      }
    }
  }
}
