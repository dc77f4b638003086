import JSONText

extension LineMerge.Region {
  /// The lines with words of a section that was changed.
  fileprivate struct Words {
    var (base, local, remote): (Set<ExactName>, Set<ExactName>, Set<ExactName>) = ([], [], [])
    var all: Set<ExactName> { base.union(local).union(remote) }

    init(_ region: LineMerge.Region) {
      if region.kind == .kept { return }
      func words(_ lines: [String]) -> Set<ExactName> {
        Set(lines.lazy.filter { $0.contains { $0.isLetter || $0.isNumber } }.map(ExactName.init))
      }
      (base, local, remote) = (words(region.base), words(region.local), words(region.remote))
    }

    func adds(_ word: ExactName, locally: Bool) -> Bool {
      !base.contains(word) && (locally ? local : remote).contains(word)
    }

    func removes(_ word: ExactName, locally: Bool) -> Bool {
      base.contains(word) && !(locally ? local : remote).contains(word)
    }
  }

  /// Whether only the local side changed the section, or `nil` if it is not that only one did.
  fileprivate var isLocal: Bool? {
    switch kind {
    case .changedLocally: true
    case .changedRemotely: false
    case .kept, .changedAlike, .conflict: nil
    }
  }
}

extension [LineMerge.Region] {
  /// Makes conflicts of sections that only one side changed if they cannot be decided by themselves:
  /// they add words that the other side adds elsewhere, or are one end of a move whose other end is in
  /// a conflict.
  mutating func decideTogether() {
    let words = map(LineMerge.Region.Words.init)
    var places: [ExactName: [Int]] = [:]
    for place in indices {
      for word in words[place].all {
        places[word, default: []].append(place)
      }
    }
    func isTied(_ place: Int, _ isLocal: Bool, to other: Int, by word: ExactName) -> Bool {
      let (mine, theirs) = (words[place], words[other])
      let isOpen = self[other].kind == .conflict
      if mine.adds(word, locally: isLocal) {
        return theirs.adds(word, locally: !isLocal) && (isOpen || self[other].isLocal == !isLocal)
          || isOpen && theirs.removes(word, locally: isLocal)
      }
      return isOpen && mine.removes(word, locally: isLocal) && theirs.adds(word, locally: isLocal)
    }
    var open: [Int] = indices.filter { self[$0].kind != .kept }
    while let other = open.popLast() {
      for word in words[other].all {
        for place in places[word] ?? [] where place != other {
          guard let isLocal = self[place].isLocal, isTied(place, isLocal, to: other, by: word)
          else {
            continue
          }
          if self[other].isLocal != nil {
            self[other].kind = .conflict
            open.append(other)
          }
          self[place].kind = .conflict
          open.append(place)
        }
      }
    }
  }
}
