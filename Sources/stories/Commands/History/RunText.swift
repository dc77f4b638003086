import JSONText
import StoryAPI
import StoryLibrary
import StorySync

/// A run as it is shown to people and programs.
struct RunText: Sendable {
  let run: RunHistory.Run
  /// The number of kept versions and sidecars, if the run has no other result.
  var kept: (versions: Int, sidecars: Int) = (0, 0)

  var command: String { run.report == nil ? "interrupted" : run.command ?? "sync" }

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
    if count("adopted") > 0 { parts.append("found \(count("adopted")) already there") }
    if count("conflicts") > 0 { parts.append(Phrases.count(count("conflicts"), "conflict")) }
    if count("failed") > 0 { parts.append("\(count("failed")) failed") }
    if kept.versions > 0 { parts.append("kept \(Phrases.count(kept.versions, "version"))") }
    if kept.versions == 0, kept.sidecars > 0 {
      parts.append("kept \(Phrases.count(kept.sidecars, "sidecar"))")
    }
    if let message = report["error"]?["message"]?.string { parts.append("ended early: \(message)") }
    return parts.joined(separator: "; ")
  }

  var json: JSONObject {
    [
      "run": .string(run.name), "command": run.command.map { .string($0) } ?? .null,
      "startedAt": run.startedAt.map { .string($0.wire) } ?? .null,
      "size": .number(JSONNumber(run.size)), "report": run.report ?? .null,
    ]
  }
}

extension RunHistory.Version {
  /// The side of the version: the local file, or the server.
  var place: String { isServer ? "on the server" : "here" }

  var json: JSONObject {
    [
      "ref": .string(ref.description), "run": .string(run),
      "side": .string(isServer ? "server" : "here"),
      "size": .number(JSONNumber(text.count)),
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
    case .missing: "gone now"
    case .unreadable: "cannot be read"
    }
  }

  var json: JSONValue {
    switch self {
    case .none: "none"
    case .layout: "layout"
    case .fields(let keys): .array(keys.map { .string($0) })
    case .missing: "missing"
    case .unreadable: "unreadable"
    }
  }
}
