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
    let entries = entries
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
    var newest: (entry: ScanEntry, date: ServerDate)?
    var newestText = ""
    let entries = entries
    for place in entries.indices where entries[place].ref.kind == kind {
      guard let text = entries[place].updatedAt else { continue }
      // Avoids parsing very many dates: texts of one form sort like their dates.
      let isAlike = text.utf8.count == newestText.utf8.count && text.hasSuffix("Z")
      if isAlike, newestText.hasSuffix("Z"), text <= newestText { continue }
      guard entries[place].isOnServer, let date = ServerDate(text),
        newest.map({ $0.date < date }) ?? true
      else { continue }
      newest = (entries[place], date)
      newestText = text
    }
    return newest
  }
}
