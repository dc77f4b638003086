import JSONText
import StoryAPI
import StoryLibrary
import StorySync
import TestSupport

/// What somebody does with `stories`.
extension LibraryHand {
  func moveByCommand(_ random: inout SeededGenerator) throws {
    guard let path = try paths().randomElement(using: &random), let ref = RecordRef(path) else {
      return
    }
    let target = RecordRef(kind: ref.kind, name: "mv-\(ledger.number())")
    note("stories mv \(ref) \(target)")
    try LibraryEditor(library.library, time: time).move(ref, to: target)
  }

  func removeByCommand(_ random: inout SeededGenerator) throws {
    guard let path = try paths().randomElement(using: &random), let ref = RecordRef(path),
      let old = text(path)
    else { return }
    note("stories rm \(ref)")
    do {
      try LibraryEditor(library.library, time: time).remove(ref)
    } catch is EditError {
      return note("stories rm refused")
    }
    ledger.replace(old, by: nil)
    ledger.makeUncertain(old)
  }

  func resolve(_ random: inout SeededGenerator) throws {
    let resolver = ConflictResolver(try library.library, time: time)
    guard let conflict = try resolver.conflicts().randomElement(using: &random) else { return }
    let choices: [ConflictResolver.Choice] =
      conflict.kind == .fields ? [.local, .server, .merge] : [.local, .server]
    let choice = choices.randomElement(using: &random) ?? .local
    note("stories resolve \(conflict.ref) \(choice)")
    // Made anew on the server after it was deleted there: that is one more record.
    if let text = text(conflict.ref.path) {
      if conflict.kind == .deletedOnServer, choice == .local { ledger.allowCopy(of: text) }
      ledger.makeUncertain(text)
      ledger.allowRemoval(of: text)
    }
    if let text = text(conflict.ref.sidecarPath) { ledger.allowRemoval(of: text) }
    try resolver.resolve(conflict.ref, choice)
  }

  func undo() throws {
    guard try !RunHistory(library.library).runs().isEmpty else { return }
    note("stories undo")
    for path in try paths() {
      ledger.makeUncertain(text(path) ?? "")
      ledger.allowRemoval(of: text(path) ?? "")
    }
    let undone = try RunHistory(library.library, time: time).undo()
    for ref in undone.restored {
      guard let text = text(ref.path) else { continue }
      // A record that came back may have to be made anew.
      ledger.allowCopy(of: text)
    }
  }

  /// Of several files that are one record on the server, one stays.
  func removeDoubles() throws {
    var seen: Set<String> = []
    for entry in try library.scan().entries where entry.state == .duplicateId {
      guard let id = entry.id, !seen.insert(id).inserted else { continue }
      note("removes \(entry.ref), which is there twice")
      let old = text(entry.ref.path)
      if old != nil { try library.remove(entry.ref.path) }
      if library.exists(entry.ref.sidecarPath) { try library.remove(entry.ref.sidecarPath) }
      ledger.replace(old, by: nil)
      ledger.makeUncertain(old ?? "")
    }
  }
}
