extension JSONNode {
  /// The value without its layout. Takes no more stack for a deep value than for a flat one.
  public var value: JSONValue { withView { $0.value } }
}

extension JSONView {
  /// The value without its layout.
  var value: JSONValue { ValueBuilder(text: text, entries: entries).value(at: index) }
}

/// Builds values from a document's entries, keeping open containers on a stack of its own.
private struct ValueBuilder {
  let text: UnsafeBufferPointer<UInt8>
  let entries: UnsafeBufferPointer<JSONNode.Entry>

  /// A container whose content is being read.
  private struct Frame {
    /// The container's name in the object around it.
    let name: String
    /// The index of the entry behind the container.
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
      // The value may be the last one of its container, and that the last one of its own.
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

  /// The value of an entry that has no others inside it.
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

  /// A frame with room for all that the container at `index` holds, so that it is allocated once.
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
