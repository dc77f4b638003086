extension JSONDocument {
  /// Returns the text in canonical form: the same value with two spaces of indentation, LF and one
  /// final newline, no byte order mark, and only the escapes that RFC 8259, section 7, requires.
  ///
  /// Number literals and the order of nested members are kept. Formatting twice changes nothing.
  ///
  /// - Parameters:
  ///   - order: The names of the root's members to write first, in this order.
  ///   - brokenArrays: The names of members whose arrays always have a line for each element.
  public func formatted(order: [String] = [], brokenArrays: Set<String> = []) -> [UInt8] {
    let layout = JSONLayout(brokenArrays: brokenArrays)
    let sorted = entries(sortedBy: order)
    return storage.bytes.withUnsafeBufferPointer { text in
      sorted.withUnsafeBufferPointer { entries in
        JSONWriter.file(
          JSONView(text: text, entries: entries, index: 0), layout: layout,
          sizeHint: text.count)
      }
    }
  }

  /// Returns the entries with the root's members in `order` first, then the others as they are.
  private func entries(sortedBy order: [String]) -> [JSONNode.Entry] {
    let entries = storage.entries
    guard root.kind == .object, !order.isEmpty else { return entries }
    var ranks: [ExactName: Int] = [:]
    for (rank, name) in order.enumerated() where ranks[ExactName(name)] == nil {
      ranks[ExactName(name)] = rank
    }
    let members = root.members.map { member in
      (rank: ranks[ExactName(member.name)] ?? order.count, start: member.key.index)
    }
    var sorted = [entries[0]]
    sorted.reserveCapacity(entries.count)
    for (_, start) in members.sorted(by: <) {
      let shift = sorted.count - start
      for var entry in entries[start..<Int(entries[start + 1].next)] {
        entry.next = UInt32(Int(entry.next) + shift)
        sorted.append(entry)
      }
    }
    return sorted
  }
}
