/// A value in a document's text without a reference to the document, for fast access.
///
/// It must not outlive the call of ``JSONNode/withView(_:)`` that provided it.
struct JSONView {
  let text: UnsafeBufferPointer<UInt8>
  let entries: UnsafeBufferPointer<JSONNode.Entry>
  /// The index of the value's entry, which identifies it in its document.
  let index: Int

  var entry: JSONNode.Entry { entries[index] }

  var kind: JSONNode.Kind { entry.kind }

  /// The bytes of the value, including quotes and brackets.
  var bytes: UnsafeBufferPointer<UInt8> {
    let entry = entry
    return UnsafeBufferPointer(rebasing: text[Int(entry.start)..<Int(entry.end)])
  }

  /// Returns the value after the element `previous` of this array, the first one for `nil`, or `nil`
  /// after the last one.
  @inline(__always)
  func element(after previous: JSONView?) -> JSONView? {
    let next = previous.map { Int($0.entry.next) } ?? index + 1
    return next < Int(entry.next) ? JSONView(text: text, entries: entries, index: next) : nil
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
