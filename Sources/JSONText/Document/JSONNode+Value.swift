extension JSONNode {
  /// The value without layout. Deep values need no more stack than flat ones.
  public var value: JSONValue { withView { $0.value } }
}

/// An array or object whose value is being built.
private struct OpenValue {
  /// The container's name in its parent object.
  let name: String
  /// The index of the first entry after the container.
  let end: Int
  let isObject: Bool
  var elements: [JSONValue] = []
  var members: [JSONObject.Member] = []

  /// Creates a container with sufficient capacity.
  init(_ view: JSONView, name: String) {
    self.name = name
    end = Int(view.entry.next)
    isObject = view.kind == .object
    var count = 0
    var child = view.index + 1
    while child < end {
      child = Int(view.entries[isObject ? child + 1 : child].next)
      count += 1
    }
    if isObject { members.reserveCapacity(count) } else { elements.reserveCapacity(count) }
  }

  var value: JSONValue {
    isObject ? .object(JSONObject(unchecked: members)) : .array(elements)
  }

  mutating func append(_ value: JSONValue, name: String) {
    if isObject {
      members.append(JSONObject.Member(key: name, value: value))
    } else {
      elements.append(value)
    }
  }
}

extension JSONView {
  var value: JSONValue {
    var stack: [OpenValue] = []
    var next = index
    while true {
      var name = ""
      if let last = stack.indices.last, stack[last].isObject {
        name = entries[next].string(in: text)
        next += 1
      }
      let view = JSONView(text: text, entries: entries, index: next)
      next += 1
      if Int(view.entry.next) > next {
        stack.append(OpenValue(view, name: name))
        continue
      }
      var value = view.leaf
      // The value may be the last in its container, which may be the last in its own.
      while let last = stack.indices.last {
        stack[last].append(value, name: name)
        if next < stack[last].end { break }
        let container = stack.removeLast()
        (name, value) = (container.name, container.value)
      }
      if stack.isEmpty { return value }
    }
  }

  /// The value, which contains no others.
  private var leaf: JSONValue {
    switch kind {
    case .null: .null
    case .true: .bool(true)
    case .false: .bool(false)
    case .number: .number(JSONNumber(unchecked: String(decoding: bytes, as: UTF8.self)))
    case .string: .string(entry.string(in: text))
    case .array: .array([])
    case .object: .object(JSONObject())
    }
  }
}
