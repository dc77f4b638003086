extension JSONDocument {
  /// The text in its canonical form: the same value with two spaces of indentation, LF and one final
  /// newline, no byte order mark, and no escapes but those that RFC 8259 section 7 requires.
  ///
  /// Number literals and the order of nested members are kept. Formatting the result again gives the
  /// same bytes.
  ///
  /// - Parameters:
  ///   - order: The names of the root's members that come first, in this order; the others follow in
  ///     their own.
  ///   - brokenArrays: The names of members whose arrays take a line for each element, however short
  ///     they are.
  public func formatted(order: [String] = [], brokenArrays: Set<String> = []) -> [UInt8] {
    var value = root.value
    if case .object(let object) = value { value = .object(object.sorted(by: order)) }
    return value.fileBytes(layout: JSONLayout(brokenArrays: brokenArrays))
  }
}

extension JSONObject {
  /// The members that `order` names, in its order, and then the others in their own.
  fileprivate func sorted(by order: [String]) -> JSONObject {
    var ranks: [ExactName: Int] = [:]
    for (rank, name) in order.enumerated() where ranks[ExactName(name)] == nil {
      ranks[ExactName(name)] = rank
    }
    let ranked = members.enumerated().map { place, member in
      (rank: ranks[ExactName(member.key)] ?? order.count, place: place, member: member)
    }
    return JSONObject(
      unchecked: ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.member))
  }
}
