/// Determines the positions of new members among those that remain in an object.
struct MemberPlacement {
  private let ranks: [ExactName: Int]
  private(set) var slots: [Slot]
  /// The rank of each slot's name in the order, or `nil` if it is not there.
  private var slotRanks: [Int?]

  /// Places new members, in the order of names, among the remaining ones, which are in text order.
  init(slots: [Slot], names: [String], order: [String]) {
    let ranks = ExactName.ranks(of: order)
    self.ranks = ranks
    self.slots = slots
    slotRanks = names.map { ranks[ExactName($0)] }
  }

  /// Adds members whose names are distinct and not present yet.
  mutating func add(_ members: [JSONObject.Member]) {
    // In rank order, so that each new member can follow the new ones before it.
    let places = members.indices.sorted { left, right in
      let leftRank = ranks[ExactName(members[left].key)] ?? .max
      let rightRank = ranks[ExactName(members[right].key)] ?? .max
      return (leftRank, left) < (rightRank, right)
    }
    for member in places.lazy.map({ members[$0] }) {
      let rank = ranks[ExactName(member.key)]
      let (place, isLeading) = place(for: rank)
      slots.insert(
        .added(name: member.key, value: member.value, isLeading: isLeading), at: place)
      slotRanks.insert(rank, at: place)
    }
  }

  private func place(for rank: Int?) -> (place: Int, isLeading: Bool) {
    guard let rank else { return (slots.count, false) }
    var before: (rank: Int, place: Int)?
    var after: (rank: Int, place: Int)?
    for (place, present) in slotRanks.enumerated() {
      guard let present else { continue }
      if present < rank {
        if present > before?.rank ?? -1 { before = (present, place) }
      } else if present < after?.rank ?? .max {
        after = (present, place)
      }
    }
    if let before { return (before.place + 1, false) }
    if let after { return (after.place, true) }
    return (slots.count, false)
  }
}
