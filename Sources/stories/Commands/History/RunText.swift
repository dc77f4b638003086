import JSONText
import StoryAPI
import StoryLibrary
import StorySync

/// A run as it is shown to people and programs.
struct RunText: Sendable, MemberEncodable {
  let run: RunHistory.Run
  /// The number of kept versions and sidecars, if the run has no other result.
  var kept: (versions: Int, sidecars: Int) = (0, 0)

  var command: String { run.report == nil ? "interrupted" : run.command ?? "sync" }

  /// The time since its start, such as `3 min ago`; empty if its name tells no time.
  func age(at now: ServerDate) -> String {
    run.startedAt.map { Phrases.age(now.duration(since: $0)) } ?? ""
  }

  /// The result in a few words.
  var summary: String {
    guard let report = run.report else { return "did not finish" }
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
    if count("failed") > 0 { parts.append("\(count("failed")) failed") }
    if kept.versions > 0 { parts.append("kept \(Phrases.count(kept.versions, "version"))") }
    if kept.versions == 0, kept.sidecars > 0 {
      parts.append("kept \(Phrases.count(kept.sidecars, "sidecar"))")
    }
    if let message = report["error"]?["message"]?.string { parts.append("ended early: \(message)") }
    return parts.joined(separator: "; ")
  }

  var members: Members {
    [
      "run": run.name, "command": run.command, "startedAt": run.startedAt, "size": run.size,
      "report": run.report,
    ]
  }
}

extension RunHistory.Version {
  var side: String { isServer ? "server" : "local" }

  /// The version as a member of JSON documents, without its record and its text.
  var members: Members {
    ["run": run, "side": isServer ? "server" : "here", "size": text.count]
  }
}

extension RunHistory.Difference {
  /// The difference from the current record, as a phrase.
  var words: String {
    switch self {
    case .none: "the same as now"
    case .layout: "the same as now but for its layout"
    case .fields(let keys): "other " + Phrases.list(keys)
    case .missing: "gone now"
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

extension [RunHistory.Run] {
  /// Returns the run with that name or unique prefix; the newest one without a word.
  ///
  /// - Throws: `EditError.noSuchRun`.
  func find(_ word: String?) throws(EditError) -> RunHistory.Run {
    let matches = word.map { word in filter { $0.name.hasPrefix(word) } } ?? Array(prefix(1))
    if let exact = matches.first(where: { $0.name == word }) { return exact }
    guard let match = matches.first, matches.count == 1, word != "" else {
      throw .noSuchRun(word ?? "")
    }
    return match
  }
}
