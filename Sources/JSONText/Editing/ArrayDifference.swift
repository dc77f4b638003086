/// Finds the elements that remain when an array changes.
enum ArrayDifference {
  /// Returns the new array's elements, each with the old one that it equals or replaces.
  static func slots(from old: [JSONValue], to new: [JSONValue]) -> [Slot] {
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
}
