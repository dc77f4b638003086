import JSONText
import StoryAPI
import StoryLibrary
import StorySync

extension RunHistory.Run: MemberEncodable {
  var commandWord: String { report == nil ? "interrupted" : command ?? "sync" }

  /// The time since its start, such as `3 min ago`; empty if its name tells no time.
  func age(at now: ServerDate) -> String {
    startedAt.map { Phrases.age(now.duration(since: $0)) } ?? ""
  }

  /// Returns the result in a few words.
  ///
  /// - Parameter kept: the number of kept versions and sidecars, if the run has no other result.
  func summary(kept: (versions: Int, sidecars: Int) = (0, 0)) -> String {
    guard let report else { return "did not finish" }
    var parts: [String] = []
    func add(_ verb: String, _ object: JSONValue?, _ kinds: [(key: String, word: String)]) {
      let counts = kinds.compactMap { kind -> String? in
        let count = object?[kind.key]?.array?.count ?? 0
        return count == 0 ? nil : "\(count) \(kind.word)"
      }
      if !counts.isEmpty { parts.append("\(verb) \(Phrases.list(counts))") }
    }
    add(
      "sent", report["sent"], [("created", "new"), ("updated", "edited"), ("deleted", "deleted")])
    add(
      "received", report["received"],
      [("created", "new"), ("updated", "changed"), ("deleted", "deleted")])
    func count(_ key: String) -> Int { report[key]?.array?.count ?? 0 }
    if count("adopted") > 0 { parts.append("found \(count("adopted")) already on the server") }
    if count("conflicts") > 0 { parts.append(Phrases.count(count("conflicts"), "conflict")) }
    // A record can fail for several reasons.
    let failed = Set((report["failed"]?.array ?? []).map { $0["ref"]?.string })
    if !failed.isEmpty { parts.append("\(failed.count) failed") }
    if parts.isEmpty, count("overridden") > 0 {
      let records = Phrases.count(count("overridden"), "record")
      parts.append("restored the server's version of \(records)")
    }
    if kept.versions > 0 { parts.append("kept \(Phrases.count(kept.versions, "version"))") }
    if kept.versions == 0, kept.sidecars > 0 {
      parts.append("kept \(Phrases.count(kept.sidecars, "sidecar"))")
    }
    if let message = report["error"]?["message"]?.string { parts.append("ended early: \(message)") }
    return parts.joined(separator: "; ")
  }

  var members: Members {
    [
      "run": name, "command": command, "startedAt": startedAt, "size": size, "report": report,
    ]
  }
}

extension RunHistory.Version {
  var side: String { isServer ? "server" : "local" }
}

/// A version that a run kept, compared with its record as it is now.
struct KeptVersion: MemberEncodable {
  var version: RunHistory.Version
  /// Its number in the list of the record's versions, or `nil` if it was not chosen from there.
  var number: Int?
  var difference: RunHistory.Difference

  init(
    _ version: RunHistory.Version, number: Int? = nil, _ history: RunHistory,
    _ references: ReferenceTable
  ) {
    self.version = version
    self.number = number
    difference = history.difference(of: version, references: references)
  }

  /// The version without its record.
  var members: Members {
    [
      "run": version.run, "side": version.isServer ? "server" : "here", "size": version.text.count,
      "version": Omitted(number), "differs": difference,
      "text": String(decoding: version.text, as: UTF8.self),
    ]
  }
}

extension RunHistory.Difference {
  /// The difference from the current record, as a phrase.
  var words: String {
    switch self {
    case .none: "the same as now"
    case .layout: "the same as now but for its layout"
    case .fields(let keys): "other " + Phrases.list(keys)
    case .missing: "no file now"
    case .unreadable: "cannot be read"
    }
  }
}

extension RunHistory.Difference: Encodable {
  func encode(to encoder: any Encoder) throws {
    switch self {
    case .none: try "none".encode(to: encoder)
    case .layout: try "layout".encode(to: encoder)
    case .fields(let keys): try keys.encode(to: encoder)
    case .missing: try "missing".encode(to: encoder)
    case .unreadable: try "unreadable".encode(to: encoder)
    }
  }
}

extension Context {
  /// Names the runs with kept versions that cannot be read.
  func noteUnreadable(_ runs: [RunHistory.Run], _ history: RunHistory) {
    for run in runs {
      do throws(FileError) {
        let count = try history.unreadableLines(in: run.name)
        guard count > 0 else { continue }
        let versions = Phrases.count(count, "version")
        note(Text("Note: ", .warning) + "\(versions) that run \(run.name) kept cannot be read")
      } catch {
        note(Text("Note: ", .warning) + "what run \(run.name) kept cannot be read: \(error.reason)")
      }
    }
  }

  /// Says what the next push sends of records that got an earlier version, and what is to be resolved or
  /// fixed first.
  func noteRestored(_ refs: [RecordRef], in scan: Scan) {
    let entries = refs.compactMap { scan.entry($0) }
    let conflicts = entries.filter { entry in
      entry.state == .conflict
        || entry.state == .unreadable && entry.problems.contains { $0.code == .conflictMarkers }
    }.map(\.ref)
    let blocked = entries.filter { $0.hasErrors && !conflicts.contains($0.ref) }.map(\.ref)
    let others: Set<RecordState> = [
      .conflict, .unreadable, .synced, .notCheckedOut, .draft, .pendingDelete,
    ]
    let deletes = entries.filter { $0.state == .pendingDelete }.map(\.ref)
    let edits = entries.count { !others.contains($0.state) && !$0.hasErrors }
    if edits > 0 {
      let subject =
        refs.count == 1
        ? "This now counts" : edits == refs.count ? "These now count" : "\(edits) now count"
      let edit = edits == 1 ? "as your edit" : "as your edits"
      aside("\(subject) \(edit); the next push sends \(Phrases.them(edits)).")
    }
    if !deletes.isEmpty { aside("The next push deletes \(Phrases.kinds(deletes)) on the server.") }
    if let first = conflicts.first {
      let ref = conflicts.count == 1 ? first.word : "REF"
      aside("In conflict again: stories resolve \(ref)")
    }
    if let first = blocked.first {
      aside("Not synced until fixed: stories check" + (blocked.count == 1 ? " \(first.word)" : ""))
    }
    if edits == 0, deletes.isEmpty, conflicts.isEmpty, blocked.isEmpty {
      let hasDraft = entries.contains { $0.state == .draft }
      aside(hasDraft ? "A draft is not sent." : "In sync again; nothing to send.")
    }
  }
}

extension [RunHistory.Run] {
  /// Returns the run with that name or unique prefix; the newest one without a word.
  func find(_ word: String?) throws(EditError) -> RunHistory.Run {
    let matches = word.map { word in filter { $0.name.hasPrefix(word) } } ?? Array(prefix(1))
    if let exact = matches.first(where: { $0.name == word }) { return exact }
    guard let match = matches.first, word != "" else { throw .noSuchRun(word ?? "") }
    guard matches.count == 1 else { throw .severalRuns(word ?? "") }
    return match
  }
}

extension Context {
  /// Returns what documents say of records that a command skipped.
  func members(of skipped: [RunHistory.Skipped]) -> [Members] {
    skipped.map { ref, error in
      let report = ErrorReport(error, in: self)
      return ["ref": ref, "reason": report.reason, "hint": report.hint]
    }
  }
}
