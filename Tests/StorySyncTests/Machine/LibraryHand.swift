import JSONText
import StoryAPI
import StoryLibrary
import TestSupport

@testable import StorySync

/// Somebody who works in a library: with an editor, with the shell, with git and with `stories`.
struct LibraryHand {
  let library: TestLibrary
  let ledger: Ledger
  let name: String
  /// The clocks of this machine.
  let time: TimeSource

  /// A pair of files as git keeps it.
  struct Pair {
    var record: String?
    var sidecar: String?
  }

  private var edits: Edits { Edits(ledger: ledger) }

  func note(_ text: String) { ledger.note("\(name): \(text)") }

  // MARK: What is there

  /// The records' paths, from the root.
  func paths(_ kind: EntityKind? = nil) throws -> [String] {
    var found: [String] = []
    func walk(_ folder: String) throws {
      for entry in try FileSystem.list(library.path(folder)) where !entry.name.hasPrefix(".") {
        let inner = Path.join(folder, entry.name)
        if entry.type == .folder {
          try walk(inner)
        } else if entry.name.hasSuffix(".json") {
          found.append(inner)
        }
      }
    }
    for kind in kind.map({ [$0] }) ?? EntityKind.writable where library.exists(kind.folder) {
      try walk(kind.folder)
    }
    return found.sorted()
  }

  func text(_ path: String) -> String? { try? library.read(path) }

  private func names(_ kind: EntityKind) throws -> [String] {
    try paths(kind).map { String($0.dropFirst(kind.folder.count + 1).dropLast(5)) }
  }

  private static func kind(of path: String) -> EntityKind {
    EntityKind.writable.first { path.hasPrefix($0.folder + "/") } ?? .stories
  }

  static func sidecarPath(_ path: String) -> String {
    RecordRef(path)?.sidecarPath ?? path
  }

  /// Saves a file on purpose: what is not in it any more was given up.
  private func save(_ path: String, _ new: String) throws {
    let old = text(path)
    do {
      try library.write(path, new)
    } catch {
      ledger.giveUp(Ledger.marks(in: new).subtracting(Ledger.marks(in: old ?? "")))
      throw error
    }
    ledger.replace(old, by: new)
  }

  // MARK: Editor and shell

  func edit(_ random: inout SeededGenerator) throws {
    guard let path = try paths().randomElement(using: &random), let old = text(path),
      let document = try? JSONDocument(parsing: Array(old.utf8))
    else { return }
    let kind = Self.kind(of: path)
    func value(_ key: String) -> JSONValue? {
      let value = document.root[key]?.value
      guard key == "content", let lines = value?.array else { return value }
      return .string(lines.compactMap(\.string).joined(separator: "\n"))
    }
    guard
      let edit = edits.edit(
        kind, value, heroes: try names(.heroes), events: try names(.events), &random)
    else { return }
    var written: JSONValue? = edit.value
    if edit.key == "content", document.root["content"]?.kind == .array {
      written = .array(RecordFile.lines(of: edit.value.string ?? "").map { .string($0) })
    }
    if edit.value.isNull { written = nil }
    var changes: [(key: String, value: JSONValue?)] = [(edit.key, written)]
    if edit.key == "hero" { changes.append(("heroId", nil)) }
    if edit.key == "event" { changes.append(("customEventId", nil)) }
    let new = try document.setting(changes, order: kind.schema.keyOrder)
    if edit.key == "name" || edit.key == "title" {
      try allowNewName(path, old)
      ledger.allowLostName(old, in: library.world)
    }
    note("edits \(edit.key) of \(path) \(edit.mark ?? edit.value.compactText)")
    try save(path, String(decoding: new.bytes, as: UTF8.self))
    if edit.count > 0 { ledger.count(old, edit.count) }
  }

  func create(_ random: inout SeededGenerator) throws {
    let kind = EntityKind.writable.randomElement(using: &random) ?? .heroes
    let heroes = try names(.heroes)
    guard kind != .stories || !heroes.isEmpty else { return }
    var record = edits.newRecord(kind, ledger.birth(), &random)
    if kind == .stories {
      record["hero"] = .string(heroes.randomElement(using: &random) ?? "")
      let lines = RecordFile.lines(of: record["content"]?.string ?? "")
      if Bool.random(using: &random) { record["content"] = .array(lines.map { .string($0) }) }
      if Bool.random(using: &random), let event = try names(.events).randomElement(using: &random) {
        record["event"] = .string(event)
      }
    }
    let folder = Int.random(in: 0..<4, using: &random) == 0 ? "deep/" : ""
    let path = "\(kind.folder)/\(folder)\(name)-\(ledger.number()).json"
    note("creates \(path) \(record["name"]?.string ?? record["title"]?.string ?? "")")
    try save(path, String(decoding: JSONValue.object(record).fileBytes(), as: UTF8.self))
  }

  func delete(_ random: inout SeededGenerator) throws {
    guard let path = try paths().randomElement(using: &random), let old = text(path) else { return }
    note("deletes \(path)")
    try library.remove(path)
    ledger.replace(old, by: nil)
    ledger.makeUncertain(old)
  }

  /// A folder goes together with its sidecars, as `rm -r` does it: what was synced comes back.
  func removeFolder(_ random: inout SeededGenerator) throws {
    guard let path = try paths().randomElement(using: &random) else { return }
    let folder = Path.parent(path)
    let pairs = try commit().filter { $0.key.hasPrefix(folder + "/") }
    // A record that was moved has its sidecar elsewhere: its file alone would be a delete.
    guard pairs.allSatisfy({ $0.value.record != nil && $0.value.sidecar != nil }) else { return }
    note("rm -r \(folder)")
    // Of a create that was killed before it was noted nobody knows whether there was a sidecar: that the
    // record is gone counts as a delete then.
    let open = try Journal(library.library).unconfirmedWrites.map(\.ref.path)
    for (path, pair) in pairs where !open.contains(path) { loseUnsynced(pair) }
    for path in open {
      ledger.replace(pairs[path]?.record, by: nil)
      ledger.makeUncertain(pairs[path]?.record ?? "")
    }
    try FileSystem.removeTree(library.path(folder))
  }

  /// Records go, and what this machine noted of them: nobody can tell any more who removed them.
  func removeWithoutEvidence(_ random: inout SeededGenerator) throws {
    let pairs = try commit().sorted { $0.key < $1.key }
    guard let (path, pair) = pairs.randomElement(using: &random), pair.record != nil,
      let sidecar = pair.sidecar, !sidecar.contains("\"conflict\"")
    else { return }
    note("loses \(path) and .stories/seen")
    loseUnsynced(pair)
    try library.remove(path)
    if library.exists(".stories/seen") { try library.remove(".stories/seen") }
  }

  /// What the server never got is gone with a record; the rest is not.
  private func loseUnsynced(_ pair: Pair) {
    let sidecar = pair.sidecar.flatMap { try? JSONValue(parsing: Array($0.utf8)) }
    // Any mark may stand in an id by chance.
    let base = sidecar?["base"]?.textWithoutIDs ?? ""
    ledger.replace(pair.record, by: base)
    ledger.makeUncertain(pair.record ?? "")
    ledger.keep(base)
  }

  func move(_ random: inout SeededGenerator) throws {
    guard let path = try paths().randomElement(using: &random) else { return }
    let folder = ["", "deep/", "else/where/"].randomElement(using: &random) ?? ""
    let target = "\(Self.kind(of: path).folder)/\(folder)moved-\(ledger.number()).json"
    note("moves \(path) to \(target)")
    try allowNewName(path, text(path) ?? "")
    try allowAmbiguity(path, text(path) ?? "")
    try library.move(path, target)
  }

  /// A whole folder gets another name, its sidecars with it or, as an editor may do it, without.
  func moveFolder(_ random: inout SeededGenerator) throws {
    guard
      let path = try paths().filter({ $0.split(separator: "/").count > 2 })
        .randomElement(using: &random)
    else { return }
    let kind = Self.kind(of: path)
    let folder = Path.parent(path)
    let target = "\(kind.folder)/folder-\(ledger.number())"
    note("moves the folder \(folder) to \(target)")
    for inner in try paths(kind) where inner.hasPrefix(folder + "/") {
      // Its sidecar comes along, so nobody takes it for a new one.
      guard !library.exists(Self.sidecarPath(inner)) else { continue }
      try allowNewName(inner, text(inner) ?? "")
      try allowAmbiguity(inner, text(inner) ?? "")
    }
    try library.move(folder, target)
  }

  /// Where several files without a sidecar are called alike, nobody can tell which is the renamed one:
  /// all of them are new then.
  private func allowAmbiguity(_ path: String, _ text: String) throws {
    let births = Ledger.births(in: text)
    let isAlike = try paths(Self.kind(of: path)).contains { other in
      other != path && !Ledger.births(in: self.text(other) ?? "").isDisjoint(with: births)
    }
    if isAlike { ledger.allowCopy(of: text) }
  }

  /// A record that has both another path and another name than before is a new one for everybody.
  private func allowNewName(_ path: String, _ text: String) throws {
    let kind = Self.kind(of: path)
    let pairs = try commit()
    guard let sidecar = pairs[path]?.sidecar else {
      let isMoved = pairs.contains {
        Self.kind(of: $0.key) == kind && $0.value.record == nil && $0.value.sidecar != nil
      }
      if isMoved { ledger.allowCopy(of: text) }
      return
    }
    let base = (try? JSONValue(parsing: Array(sidecar.utf8)))?["base"]?[kind.schema.titleKey]
    let here = (try? JSONValue(parsing: Array(text.utf8)))?[kind.schema.titleKey]
    if base != here { ledger.allowCopy(of: text) }
  }

  func copy(_ random: inout SeededGenerator) throws {
    guard let path = try paths().randomElement(using: &random), let old = text(path) else { return }
    let target = "\(Self.kind(of: path).folder)/copy-\(ledger.number()).json"
    note("copies \(path) to \(target)")
    ledger.allowCopy(of: old)
    // Of a renamed record there are two now that may be it.
    if !library.exists(Self.sidecarPath(path)) { ledger.allowCopy(of: old) }
    try allowAmbiguity(path, old)
    try library.write(target, old)
  }
}
