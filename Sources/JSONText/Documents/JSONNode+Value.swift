extension JSONNode {
  /// The value without layout. Deep values need no more stack than flat ones.
  public var value: JSONValue { withView { $0.value } }
}

extension JSONView {
  var value: JSONValue { ValueBuilder(text: text, entries: entries).value(at: index) }
}

/// Builds values from a document's entries, with an explicit stack of open containers.
private struct ValueBuilder {
  let text: UnsafeBufferPointer<UInt8>
  let entries: UnsafeBufferPointer<JSONNode.Entry>

  private struct Frame {
    /// The container's name in its parent object.
    let name: String
    /// The index of the first entry after the container.
    let end: Int
    let isObject: Bool
    var elements: [JSONValue] = []
    var members: [JSONObject.Member] = []

    var value: JSONValue {
      isObject ? .object(JSONObject(unchecked: members)) : .array(elements)
    }
  }

  func value(at start: Int) -> JSONValue {
    var stack: [Frame] = []
    var index = start
    while true {
      var name = ""
      if let last = stack.indices.last, stack[last].isObject {
        name = entries[index].string(in: text)
        index += 1
      }
      let entry = entries[index]
      if Int(entry.next) > index + 1 {
        stack.append(frame(name: name, ofContainerAt: index))
        index += 1
        continue
      }
      var value = leaf(entry)
      index += 1
      // The value may be the last in its container, which may be the last in its own.
      while true {
        guard let last = stack.indices.last else { return value }
        if stack[last].isObject {
          stack[last].members.append(JSONObject.Member(key: name, value: value))
        } else {
          stack[last].elements.append(value)
        }
        if index < stack[last].end { break }
        let frame = stack.removeLast()
        value = frame.value
        name = frame.name
      }
    }
  }

  /// Returns the value of an entry that contains no others.
  private func leaf(_ entry: JSONNode.Entry) -> JSONValue {
    switch entry.kind {
    case .null: .null
    case .true: .bool(true)
    case .false: .bool(false)
    case .number:
      .number(
        JSONNumber(
          unchecked: String(
            decoding: UnsafeBufferPointer(rebasing: text[Int(entry.start)..<Int(entry.end)]),
            as: UTF8.self)))
    case .string: .string(entry.string(in: text))
    case .array: .array([])
    case .object: .object(JSONObject())
    }
  }

  /// Returns a frame with sufficient capacity for the container at `index`.
  private func frame(name: String, ofContainerAt index: Int) -> Frame {
    let end = Int(entries[index].next)
    let isObject = entries[index].kind == .object
    var frame = Frame(name: name, end: end, isObject: isObject)
    var count = 0
    var child = index + 1
    while child < end {
      child = Int(entries[isObject ? child + 1 : child].next)
      count += 1
    }
    if isObject {
      frame.members.reserveCapacity(count)
    } else {
      frame.elements.reserveCapacity(count)
    }
    return frame
  }
}
