extension JSONParser {
  /// Objects with up to this many members are compared pairwise.
  private static let pairwiseLimit = 16

  /// Throws at the second of two members with the same name, in time proportional to the number of
  /// members. The object's members must be the last entries.
  func checkNames(of object: Int) throws(JSONSyntaxError) {
    let duplicate = entries.withUnsafeBufferPointer { duplicateName(after: object, in: $0) }
    guard let (name, earlier) = duplicate else { return }
    let first = TextPosition(offset: Int(entries[earlier].start), in: text)
    throw failure(
      .duplicateKey(entries[name].string(in: text), first: first), at: Int(entries[name].start))
  }

  /// Returns the entry indices of the first duplicate name and of its earlier occurrence.
  private func duplicateName(
    after object: Int, in entries: UnsafeBufferPointer<JSONNode.Entry>
  ) -> (name: Int, earlier: Int)? {
    let first = object + 1
    var (name, count) = (first, 0)
    while name < entries.count, count < Self.pairwiseLimit {
      var earlier = first
      while earlier < name {
        if isSame(entries[earlier], entries[name]) { return (name, earlier) }
        earlier = Int(entries[earlier + 1].next)
      }
      name = Int(entries[name + 1].next)
      count += 1
    }
    guard name < entries.count else { return nil }
    // The hash is seeded per process, so that nobody can prepare colliding names.
    var places: [ExactName: Int] = [:]
    name = first
    while name < entries.count {
      let key = ExactName(entries[name].string(in: text))
      if let earlier = places.updateValue(name, forKey: key) { return (name, earlier) }
      name = Int(entries[name + 1].next)
    }
    return nil
  }

  private func isSame(_ lhs: JSONNode.Entry, _ rhs: JSONNode.Entry) -> Bool {
    if !lhs.hasEscapes, !rhs.hasEscapes, lhs.end - lhs.start != rhs.end - rhs.start { return false }
    return lhs.withContent(in: text) { rhs.holdsString($0, in: text) }
  }
}
