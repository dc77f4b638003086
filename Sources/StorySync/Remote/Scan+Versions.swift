import StoryAPI
import StoryLibrary

extension ScanEntry {
  /// Whether the server has the record according to its sidecar.
  var isOnServer: Bool { id != nil && updatedAt != nil && conflict != .deletedOnServer }
}

extension Scan {
  /// Returns the number of the server's records of a kind that have sidecars.
  func countOnServer(of kind: EntityKind) -> Int {
    var count = 0
    var twins: Set<String> = []
    // Indices are used here and below because copying an entry costs more than a look at it.
    for place in entries.indices where entries[place].ref.kind == kind && entries[place].isOnServer
    {
      if entries[place].state == .duplicateId, let id = entries[place].id,
        !twins.insert(id).inserted
      {
        continue
      }
      count += 1
    }
    return count
  }

  /// Returns the record of a kind with the newest version in its sidecar, and that date, or `nil`.
  func newestOnServer(of kind: EntityKind) -> (entry: ScanEntry, date: ServerDate)? {
    // Dates of one form sort like their texts, which saves parsing very many of them.
    let places = entries.indices.filter { entries[$0].ref.kind == kind && entries[$0].isOnServer }
    var greatest: [Int: (place: Int, text: String)] = [:]
    for place in places {
      guard let text = entries[place].updatedAt, text.utf8.last == UInt8(ascii: "Z") else {
        continue
      }
      let length = text.utf8.count
      if greatest[length].map({ $0.text < text }) ?? true { greatest[length] = (place, text) }
    }
    let valid = greatest.filter { ServerDate($0.value.text) != nil }
    var newest: (place: Int, date: ServerDate)?
    for place in places {
      guard let text = entries[place].updatedAt else { continue }
      let isEarlier =
        text.utf8.last == UInt8(ascii: "Z")
        && valid[text.utf8.count].map { $0.place != place } ?? false
      guard !isEarlier, let date = ServerDate(text), newest.map({ $0.date < date }) ?? true
      else { continue }
      newest = (place, date)
    }
    return newest.map { (entries[$0.place], $0.date) }
  }
}
