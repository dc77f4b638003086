/// Rewrites a text with one of its objects changed, copying all bytes that need not change.
struct JSONEditor {
  /// The depth below the edited object to which values are merged into the text. Deeper ones are
  /// replaced as a whole, which bounds recursion and comparison time.
  private static let deepestMerge = 16

  private let storage: JSONDocument.Storage
  private let brokenArrays: Set<String>
  private var writer = JSONWriter()
  private lazy var style: BlockStyle = {
    let detection = LayoutDetection(storage)
    var layout = detection.layout
    layout.brokenArrays = brokenArrays
    return BlockStyle(layout, inline: detection.inlineStyle)
  }()

  init(storage: JSONDocument.Storage, brokenArrays: Set<String>) {
    self.storage = storage
    self.brokenArrays = brokenArrays
  }

  private var text: [UInt8] { storage.bytes }

  // MARK: The edited object

  /// Returns the new text, or `nil` if nothing changes.
  mutating func setting(
    _ changes: [(key: String, value: JSONValue?)], of object: JSONNode, order: [String]
  ) -> [UInt8]? {
    let parts = ContainerParts(object)
    let slots = Self.slots(of: parts, after: changes, order: order)
    guard slots.count != parts.count || !slots.allSatisfy(\.isKept) else { return nil }
    writer.append(text[..<object.range.lowerBound])
    rewrite(parts, as: slots, name: nil, isInline: false, depth: 0)
    writer.append(text[object.range.upperBound...])
    return writer.bytes
  }

  // MARK: Containers

  /// Writes a container with other children, as the value of the member `name`.
  private mutating func rewrite(
    _ parts: ContainerParts, as slots: [Slot], name: String?, isInline: Bool, depth: Int
  ) {
    guard !slots.isEmpty else {
      writer.append(parts.node.kind == .object ? "{}".utf8 : "[]".utf8)
      return
    }
    guard parts.count > 0 else {
      writeWhole(slots, isInline: isInline)
      return
    }
    let start = writer.bytes.count
    let separators = parts.separators(for: slots, style: style)
    write(parts, as: slots, separators: separators, tail: Array(parts.tail), depth: depth)
    // An array that no longer fits on its line gets a line for each element unless it shares it.
    let mayBreak = !isInline || name.map(brokenArrays.contains) ?? false
    guard parts.node.kind == .array, mayBreak, !parts.spansLines,
      !writer.lastLineFits(in: style.lineWidth),
      WhiteSpace.lineFits(
        upTo: parts.node.range.upperBound, in: text, width: style.lineWidth)
    else { return }
    writer.truncate(to: start)
    let outer = style.lineEnd + writer.lastLineLead
    let inner = outer + style.indent
    write(
      parts, as: slots,
      separators: [inner] + repeatElement([UInt8(ascii: ",")] + inner, count: slots.count - 1),
      tail: outer, depth: depth)
  }

  private mutating func write(
    _ parts: ContainerParts, as slots: [Slot], separators: [[UInt8]], tail: [UInt8], depth: Int
  ) {
    let range = parts.node.range
    writer.append(text[range.lowerBound])
    // The old child whose layout new ones follow.
    var neighbour = slots.lazy.compactMap(\.place).first ?? 0
    for (index, slot) in slots.enumerated() {
      writer.append(separators[index])
      let isInline = ContainerParts.isInline(index, of: separators, tail: tail)
      switch slot {
      case .kept(let place):
        writer.append(text[parts.ranges[place]])
        neighbour = place
      case .changed(let place, let old, let new):
        let value = parts.values[place]
        writer.append(text[parts.ranges[place].lowerBound..<value.range.lowerBound])
        let name = parts.names.isEmpty ? nil : parts.names[place]
        replace(value, old, with: new, name: name, isInline: isInline, depth: depth + 1)
        neighbour = place
      case .added(let name, let value, _):
        if let name {
          writer.writeString(name)
          let colon = parts.colon(neighbour)
          writer.append(ContainerParts.hasLineEnd(colon) ? style.colon[...] : colon)
        }
        // Elements are alike, but a member of an object says nothing about another's value.
        let model = parts.values[neighbour]
        writeNew(
          value, name: name, like: name == nil ? model : nil,
          isInline: isInline && !ContainerParts.hasLineEnd(text[model.range]))
      }
    }
    writer.append(tail)
    writer.append(text[range.upperBound - 1])
  }

  /// Writes a container that was empty.
  private mutating func writeWhole(_ slots: [Slot], isInline: Bool) {
    var members: [JSONObject.Member] = []
    for case .added(let name?, let value, _) in slots {
      members.append(JSONObject.Member(key: name, value: value))
    }
    writeNew(.object(JSONObject(unchecked: members)), name: nil, like: nil, isInline: isInline)
  }

  // MARK: Values

  /// Replaces `old` with `new` in the text, as the value of the member `name`.
  private mutating func replace(
    _ node: JSONNode, _ old: JSONValue, with new: JSONValue, name: String?, isInline: Bool,
    depth: Int
  ) {
    switch (old, new) {
    case (.array(let old), .array(let new))
    where !old.isEmpty && !new.isEmpty && depth <= Self.deepestMerge:
      rewrite(
        ContainerParts(node), as: Self.slots(from: old, to: new), name: name,
        isInline: isInline, depth: depth)
    case (.object(let old), .object(let new))
    where depth <= Self.deepestMerge && old.keys.contains(where: { new[$0] != nil }):
      let parts = ContainerParts(node)
      // What is not in the new object is removed.
      var changes = old.keys.map { (key: $0, value: JSONValue?.none) }
      changes += new.members.map { (key: $0.key, value: $0.value) }
      rewrite(
        parts, as: Self.slots(of: parts, after: changes, order: new.keys), name: name,
        isInline: isInline, depth: depth)
    default: writeNew(new, name: name, like: node, isInline: isInline)
    }
  }

  /// Returns the new array's elements, each with the old one that it equals or replaces.
  private static func slots(from old: [JSONValue], to new: [JSONValue]) -> [Slot] {
    let kept = SequenceDifference.kept(old, new)
    var slots: [Slot] = []
    slots.reserveCapacity(new.count)
    var place = 0
    var index = 0
    for (nextPlace, nextIndex) in kept + [(old.count, new.count)] {
      // Between two remaining elements, new elements replace old ones while there are any.
      while index < nextIndex {
        if place < nextPlace {
          slots.append(
            old[place] == new[index]
              ? .kept(place) : .changed(place, from: old[place], to: new[index]))
          place += 1
        } else {
          slots.append(.added(name: nil, value: new[index], isLeading: false))
        }
        index += 1
      }
      if nextIndex < new.count { slots.append(.kept(nextPlace)) }
      place = nextPlace + 1
      index = nextIndex + 1
    }
    return slots
  }

  /// Returns the object's members with some set or removed. The last of several changes to a name
  /// counts.
  private static func slots(
    of parts: ContainerParts, after changes: [(key: String, value: JSONValue?)], order: [String]
  ) -> [Slot] {
    var remaining: [ExactName: JSONValue?] = [:]
    for (name, value) in changes { remaining[ExactName(name)] = .some(value) }
    var slots: [Slot] = []
    var names: [String] = []
    for (place, name) in parts.names.enumerated() {
      var slot = Slot.kept(place)
      if let change = remaining.removeValue(forKey: ExactName(name)) {
        guard let new = change else { continue }
        let old = parts.values[place].value
        if old != new { slot = .changed(place, from: old, to: new) }
      }
      slots.append(slot)
      names.append(name)
    }
    var added: [JSONObject.Member] = []
    for (name, _) in changes {
      if case .some(.some(let value)) = remaining.removeValue(forKey: ExactName(name)) {
        added.append(JSONObject.Member(key: name, value: value))
      }
    }
    return added.isEmpty ? slots : insert(added, among: slots, named: names, order: order)
  }

  /// Inserts members, whose names are distinct and new, among the slots of the remaining ones, which
  /// are in text order: each next to its nearest neighbor in `order`.
  private static func insert(
    _ added: [JSONObject.Member], among slots: [Slot], named names: [String], order: [String]
  ) -> [Slot] {
    let ranks = ExactName.ranks(of: order)
    var (slots, slotRanks) = (slots, names.map { ranks[ExactName($0)] })
    // In rank order, so that each new member can follow the new ones before it.
    for member in JSONObject(unchecked: added).ordered(by: order).members {
      let rank = ranks[ExactName(member.key)]
      var before: (rank: Int, place: Int)?
      var after: (rank: Int, place: Int)?
      for (place, present) in slotRanks.enumerated() {
        guard let rank, let present else { continue }
        if present < rank {
          if present > before?.rank ?? -1 { before = (present, place) }
        } else if present < after?.rank ?? .max {
          after = (present, place)
        }
      }
      let place = before.map { $0.place + 1 } ?? after?.place ?? slots.count
      let isLeading = before == nil && after != nil
      slots.insert(
        .added(name: member.key, value: member.value, isLeading: isLeading), at: place)
      slotRanks.insert(rank, at: place)
    }
    return slots
  }

  /// Writes a value that is not in the text.
  ///
  /// - Parameters:
  ///   - model: The old value whose layout to follow: the replaced one, or a neighbor.
  ///   - isInline: Whether the value shares its line with a neighbor.
  private mutating func writeNew(
    _ value: JSONValue, name: String?, like model: JSONNode?, isInline: Bool
  ) {
    let isModelBlock = model.map { ContainerParts.hasLineEnd(text[$0.range]) } ?? false
    let isBroken =
      name.map(brokenArrays.contains) ?? false || isModelBlock && model?.kind == .array
    if !isModelBlock, !isBroken || value.array == nil {
      if isInline {
        writer.write(value, inline: style.inline)
        return
      }
      switch (value, model?.kind) {
      case (.array, .array?) where model?.isFilled == true,
        (.object, .object?) where model?.isFilled == true:
        // On one line like the model, if it fits.
        let start = writer.bytes.count
        writer.write(value, inline: style.inline)
        if writer.lastLineFits(in: style.lineWidth) { return }
        writer.truncate(to: start)
      default: break
      }
    }
    style.lead = writer.lastLineLead
    writer.write(value, inline: style.inline, block: style, isBroken: isBroken)
  }
}
