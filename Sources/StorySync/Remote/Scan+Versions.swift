import StoryAPI
import StoryLibrary

extension ScanEntry {
  /// Whether the server has the record, as far as its sidecar knows.
  var isOnServer: Bool { id != nil && updatedAt != nil && conflict != .deletedOnServer }
}

extension Scan {
  /// The number of the server's records of a kind that sidecars know.
  func countOnServer(of kind: EntityKind) -> Int {
    var count = 0
    var twins: Set<String> = []
    // By places here and below, as a copy of each entry takes longer than a look at it.
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

  /// The record of a kind whose sidecar knows the newest version, with its date; `nil` if none does.
  func newestOnServer(of kind: EntityKind) -> (entry: ScanEntry, date: ServerDate)? {
    var newest: (entry: ScanEntry, date: ServerDate)?
    var newestText = ""
    let entries = entries
    for place in entries.indices where entries[place].ref.kind == kind {
      guard let text = entries[place].updatedAt else { continue }
      // There may be very many. Texts of one form are in the order of their dates.
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
