import JSONText
import StoryAPI
import StoryLibrary
import StorySync

/// A run as people and programs are told of it.
struct RunText: Sendable {
  let run: RunHistory.Run
  /// How many versions and sidecars it kept, where that is what there is to tell of it.
  var kept: (versions: Int, sidecars: Int) = (0, 0)

  /// What was asked for.
  var command: String { run.report == nil ? "interrupted" : run.command ?? "sync" }

  /// What came of it, in a few words.
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

  /// The run as a member of `stories.log/1`.
  var json: JSONObject {
    [
      "run": .string(run.name), "command": run.command.map { .string($0) } ?? .null,
      "startedAt": run.startedAt.map { .string($0.wire) } ?? .null,
      "size": .number(JSONNumber(run.size)), "report": run.report ?? .null,
    ]
  }
}

extension RunHistory.Version {
  /// Where the version was: in the file here, or on the server.
  var place: String { isServer ? "on the server" : "here" }

  /// The version as a member of JSON documents.
  var json: JSONObject {
    [
      "ref": .string(ref.description), "run": .string(run),
      "side": .string(isServer ? "server" : "here"),
      "size": .number(JSONNumber(text.count)),
    ]
  }
}

extension RunHistory.Difference {
  /// The difference from the record as it is now, as a phrase.
  var words: String {
    switch self {
    case .none: "the same as now"
    case .layout: "the same as now but for its layout"
    case .fields(let keys): "other " + Phrases.list(keys)
    case .missing: "gone now"
    }
  }

  /// The difference in JSON.
  var json: JSONValue {
    switch self {
    case .none: "none"
    case .layout: "layout"
    case .fields(let keys): .array(keys.map { .string($0) })
    case .missing: "missing"
    }
  }
}
