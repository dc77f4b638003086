/// Finds the elements that an array keeps when it becomes another one.
enum ArrayDifference {
  /// The longest stretch, old and new elements together, that is compared in quadratic time.
  private static let myersLimit = 1024

  /// The new array's elements, each with the old one that it is or whose place it takes.
  static func slots(from old: [JSONValue], to new: [JSONValue]) -> [Slot] {
    let kept = keptPlaces(old, new)
    var slots: [Slot] = []
    slots.reserveCapacity(new.count)
    var place = 0
    var index = 0
    for (nextPlace, nextIndex) in kept + [(old.count, new.count)] {
      // Between two elements that stay, new ones take the places of old ones as long as there are.
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

  /// Pairs of equal elements, rising in both arrays.
  private static func keptPlaces(_ old: [JSONValue], _ new: [JSONValue]) -> [(old: Int, new: Int)] {
    let limit = min(old.count, new.count)
    var prefix = 0
    while prefix < limit, old[prefix] == new[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < limit - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] {
      suffix += 1
    }
    // From here on equal elements are equal numbers, so that comparing them costs nothing.
    var numbers: [JSONValue: Int] = [:]
    func number(_ value: JSONValue) -> Int {
      let next = numbers.count
      return numbers[value]
        ?? {
          numbers[value] = next; return next
        }()
    }
    let oldMiddle = old[prefix..<old.count - suffix].map(number)
    let newMiddle = new[prefix..<new.count - suffix].map(number)
    var pairs = (0..<prefix).map { (old: $0, new: $0) }
    for (place, index) in matches(oldMiddle, newMiddle) {
      pairs.append((prefix + place, prefix + index))
    }
    for back in (0..<suffix).reversed() {
      pairs.append((old.count - 1 - back, new.count - 1 - back))
    }
    return pairs
  }

  private static func matches(_ old: [Int], _ new: [Int]) -> [(old: Int, new: Int)] {
    if old.count + new.count <= myersLimit { return shortestEdit(old, new) }
    var pairs: [(old: Int, new: Int)] = []
    var place = 0
    var index = 0
    for (nextPlace, nextIndex) in anchors(old, new) + [(old.count, new.count)] {
      let (left, right) = (old[place..<nextPlace], new[index..<nextIndex])
      if left.count + right.count <= myersLimit {
        for pair in shortestEdit(Array(left), Array(right)) {
          pairs.append((place + pair.old, index + pair.new))
        }
      }
      if nextPlace < old.count { pairs.append((nextPlace, nextIndex)) }
      (place, index) = (nextPlace + 1, nextIndex + 1)
    }
    return pairs
  }

  /// The elements that the shortest edit keeps.
  private static func shortestEdit(_ old: [Int], _ new: [Int]) -> [(old: Int, new: Int)] {
    if old.isEmpty || new.isEmpty { return [] }
    var removed = Set<Int>()
    var inserted = Set<Int>()
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    return zip(
      old.indices.filter { !removed.contains($0) }, new.indices.filter { !inserted.contains($0) }
    ).map { (old: $0, new: $1) }
  }

  /// The longest rising run of elements that both arrays hold once (as “patience” diffs use it),
  /// which takes n log n steps however much was changed.
  private static func anchors(_ old: [Int], _ new: [Int]) -> [(old: Int, new: Int)] {
    let oldPlaces = uniquePlaces(old)
    let newPlaces = uniquePlaces(new)
    let common = new.indices.compactMap { index -> (old: Int, new: Int)? in
      guard newPlaces[new[index]] == index, let place = oldPlaces[new[index]], place >= 0 else {
        return nil
      }
      return (place, index)
    }
    // Ends of the best runs by their length, and the pair in front of each pair in its run.
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
    var run: [(old: Int, new: Int)] = []
    var number = ends.last ?? -1
    while number >= 0 {
      run.append(common[number])
      number = previous[number]
    }
    return run.reversed()
  }

  /// Where each element stands; -1 for one that stands more than once.
  private static func uniquePlaces(_ elements: [Int]) -> [Int: Int] {
    var places: [Int: Int] = [:]
    for (place, element) in elements.enumerated() {
      places[element] = places[element] == nil ? place : -1
    }
    return places
  }
}
