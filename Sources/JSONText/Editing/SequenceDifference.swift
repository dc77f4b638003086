/// Finds the elements that remain when a sequence changes, for edits, merges and diffs.
package enum SequenceDifference {
  /// The number of comparisons for finding the shortest edit. It is sufficient for sequences of
  /// 2,000 elements; in longer ones, elements beyond it count as replaced.
  private static let budget = 4_000_000
  /// The same per element of long sequences.
  private static let share = 64

  /// Returns pairs of equal elements, ascending in both sequences: as many as can be found within
  /// the budget. The time grows with the lengths, not with their product.
  package static func kept<Element: Hashable>(
    _ old: [Element], _ new: [Element]
  ) -> [(old: Int, new: Int)] {
    // Equal elements get equal numbers, which are fast to compare.
    var numbers: [Element: Int] = [:]
    numbers.reserveCapacity(old.count)
    func number(_ element: Element) -> Int {
      if let number = numbers[element] { return number }
      let next = numbers.count
      numbers[element] = next
      return next
    }
    var budget = max(budget, share * (old.count + new.count))
    return matches(old.map(number)[...], new.map(number)[...], &budget)
  }

  private typealias Pair = (old: Int, new: Int)

  private static func matches(
    _ old: ArraySlice<Int>, _ new: ArraySlice<Int>, _ budget: inout Int
  ) -> [Pair] {
    var (old, new) = (old, new)
    var pairs: [Pair] = []
    var ends: [Pair] = []
    while let first = old.first, first == new.first {
      pairs.append((old.startIndex, new.startIndex))
      old.removeFirst()
      new.removeFirst()
    }
    while let last = old.last, last == new.last {
      ends.append((old.endIndex - 1, new.endIndex - 1))
      old.removeLast()
      new.removeLast()
    }
    pairs += middle(old, new, &budget)
    pairs += ends.reversed()
    return pairs
  }

  private static func middle(
    _ old: ArraySlice<Int>, _ new: ArraySlice<Int>, _ budget: inout Int
  ) -> [Pair] {
    if old.isEmpty || new.isEmpty { return [] }
    if old.count <= budget / new.count {
      budget -= old.count * new.count
      return shortestEdit(old, new)
    }
    budget -= old.count + new.count
    guard budget > 0 else { return [] }
    // Elements that are on only one side are in no pair.
    let (oldOnes, newOnes) = (Set(old), Set(new))
    let common = old.indices.filter { newOnes.contains(old[$0]) }
    let others = new.indices.filter { oldOnes.contains(new[$0]) }
    if common.count < old.count || others.count < new.count {
      return matches(common.map { old[$0] }[...], others.map { new[$0] }[...], &budget)
        .map { (common[$0.old], others[$0.new]) }
    }
    var pairs: [Pair] = []
    var (place, index) = (old.startIndex, new.startIndex)
    let anchors = anchors(old, new)
    if anchors.isEmpty { return [] }
    for (nextPlace, nextIndex) in anchors + [(old.endIndex, new.endIndex)] {
      pairs += matches(old[place..<nextPlace], new[index..<nextIndex], &budget)
      if nextPlace < old.endIndex { pairs.append((nextPlace, nextIndex)) }
      (place, index) = (nextPlace + 1, nextIndex + 1)
    }
    return pairs
  }

  /// Returns the elements that the shortest edit keeps.
  private static func shortestEdit(_ old: ArraySlice<Int>, _ new: ArraySlice<Int>) -> [Pair] {
    var isRemoved = [Bool](repeating: false, count: old.count)
    var isInserted = [Bool](repeating: false, count: new.count)
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): isRemoved[offset] = true
      case .insert(let offset, _, _): isInserted[offset] = true
      }
    }
    return zip(
      isRemoved.indices.filter { !isRemoved[$0] }, isInserted.indices.filter { !isInserted[$0] }
    ).map { (old.startIndex + $0, new.startIndex + $1) }
  }

  /// Returns the longest ascending run of elements that are unique on both sides (as in “patience”
  /// diffs), in n log n steps however much has changed.
  private static func anchors(_ old: ArraySlice<Int>, _ new: ArraySlice<Int>) -> [Pair] {
    let oldPlaces = uniquePlaces(old)
    let newPlaces = uniquePlaces(new)
    let common = new.indices.compactMap { index -> Pair? in
      guard newPlaces[new[index]] == index, let place = oldPlaces[new[index]], place >= 0 else {
        return nil
      }
      return (place, index)
    }
    // The ends of the best runs by length, and each pair's predecessor in its run.
    var ends: [Int] = []
    var previous: [Int] = []
    for (number, pair) in common.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if common[ends[middle]].old < pair.old { low = middle + 1 } else { high = middle }
      }
      previous.append(low > 0 ? ends[low - 1] : -1)
      if low == ends.count { ends.append(number) } else { ends[low] = number }
    }
    var run: [Pair] = []
    var number = ends.last ?? -1
    while number >= 0 {
      run.append(common[number])
      number = previous[number]
    }
    return run.reversed()
  }

  /// Returns the index of each element, or -1 for one that occurs more than once.
  private static func uniquePlaces(_ elements: ArraySlice<Int>) -> [Int: Int] {
    var places: [Int: Int] = [:]
    for (place, element) in zip(elements.indices, elements) {
      places[element] = places[element] == nil ? place : -1
    }
    return places
  }
}
