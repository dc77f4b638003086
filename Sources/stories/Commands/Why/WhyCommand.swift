import JSONText
import StoryAPI
import StoryLibrary
import StorySync

struct WhyCommand: Command {
  var word = ""
  var asksServer = false

  static let name = "why"
  static let summary = "Explain a record's state and what the next sync does"
  static let discussion = """
    Shows the record's state and, for each field that differs, the base, the local value, the \
    server's value and the rule that decides. Without --remote, no network is used, and the \
    server's value is the last known one.
    """
  static let examples = [
    Example("stories why heroes/luna", "without network"),
    Example("stories why first-snow --remote", "with the server's current values"),
  ]
  static let parameters: [Parameter<WhyCommand>] = [
    .argument("REF", \.word, help: "The record", completion: .record),
    .flag("remote", \.asksServer, help: "Ask the server for its current values"),
  ]

  func run(_ context: Context) async throws -> ExitCode {
    let opened = try OpenLibrary(context)
    let ref = try opened.resolver().record(word)
    var remote: RemoteRecord?
    if asksServer, let id = opened.scan.entry(ref)?.id {
      remote = try await ask(ref.kind, id, opened)
    }
    let explanation = try Explanation(
      ref, in: opened.library, scan: opened.scan, remote: remote, wasAsked: asksServer)
    let text = WhyText(
      explanation: explanation, opened: opened, failure: FailureStore(opened.library)[ref],
      wasAsked: asksServer)
    context.tell(text) { text.write() }
    return .done
  }

  /// Returns the server's version, or `nil` if it has none.
  private func ask(
    _ kind: EntityKind, _ id: String, _ opened: OpenLibrary
  ) async throws -> RemoteRecord? {
    let setting = try opened.context.serverSetting(opened.library)
    return try await opened.context.withServer(setting, of: opened.library) { connect in
      let connection = try await connect(opened.scan)
      let stop = opened.library.otherOwner(than: connection.identity, opened.scan)
      if let stop { throw stop }
      do {
        return try await connection.client.record(kind, id: id)
      } catch APIError.notFound {
        return nil
      }
    }
  }
}

/// An explanation for people and programs.
struct WhyText: Sendable {
  let explanation: Explanation
  let opened: OpenLibrary
  /// The failure of the record's last sync, or `nil` if there was none.
  let failure: FailureStore.Failure?
  let wasAsked: Bool

  private var entry: ScanEntry { explanation.entry }

  func write() {
    let context = opened.context
    let output = context.output
    let code = StatusCode(entry)
    output.line(
      Text(entry.ref.description, .strong) + "  " + Text(code.description, code.style)
        + Text("  \(entry.state.rawValue)", .faint))
    output.wrapped(context.runnable(Text(sentence(explanation.verdict))), lead: "  ")
    if let old = entry.formerName {
      output.wrapped("It was \(old); the next sync records its new name.", lead: "  ")
    }
    if !explanation.waitsFor.isEmpty {
      let names = Phrases.list(explanation.waitsFor.map(\.description))
      output.wrapped("It names \(names), which the server does not have yet.", lead: "  ")
    }
    if let failure {
      output.wrapped(Text("Its last sync failed: \(failure.message)", .warning), lead: "  ")
      if let hint = failure.hint {
        let hint = context.shown(hint: hint, in: opened.library)
        output.wrapped(Text("Hint: \(hint)", .faint), lead: "  ")
      }
    }
    context.write(entry.problems, of: opened.library, to: output, indent: 2)
    for field in explanation.fields { write(field, to: output, context) }
    if explanation.fields.isEmpty, entry.id != nil, entry.hasRecord, entry.state != .unreadable {
      output.line(Text("  No field differs.", .faint))
    }
    output.line()
    writeOrigin(to: output)
  }

  private func sentence(_ text: String) -> String {
    let end = ".!?`".contains(text.last ?? ".") ? "" : "."
    return text.prefix(1).uppercased() + text.dropFirst() + end
  }

  private func write(_ field: Explanation.Field, to output: Output, _ context: Context) {
    output.line()
    output.line(Text("  ") + Text(field.key, .strong))
    func line(_ name: String, _ text: String) {
      output.wrapped(Text(text), lead: Text("    ") + Text(name, .faint).padded(to: 8))
    }
    let all = [field.base, local(field)] + (field.server.map { [$0] } ?? [])
    func short(_ value: JSONValue) -> String { self.short(value, field.key, among: all) }
    line("base", short(field.base))
    line("local", field.outcome == .serverOfDeleted ? "deleted" : short(local(field)))
    if let server = field.server { line("server", short(server)) }
    if field.outcome == .localOfDeleted { line("server", "deleted") }
    let verdict = context.runnable(explanation.verdict(of: field))
    line("rule", "\(verdict) (policy “\(field.strategy.rawValue)”)")
  }

  /// Writes the record's state on the server, as far as known locally.
  private func writeOrigin(to output: Output) {
    guard entry.state != .unreadable else { return }
    guard let id = entry.id, let updatedAt = entry.updatedAt else {
      return output.line(Text("  The server does not have it, as of the last sync.", .faint))
    }
    output.wrapped(Text("id \(id), base of \(updatedAt)", .faint), lead: "  ")
    if !wasAsked {
      output.wrapped(Text("The server was not asked: add --remote.", .faint), lead: "  ")
    }
  }

  private func short(_ value: JSONValue, _ key: String, among all: [JSONValue]) -> String {
    guard let field = schemaField(key) else { return value.compactText }
    return RecordDiff.short(named(value, field), field, among: all)
  }

  /// Replaces a reference's id with its local name.
  private func named(_ value: JSONValue, _ field: Field) -> JSONValue {
    guard let kind = field.referencedKind, let id = value.string,
      let name = opened.scan.references.name(of: kind, id: id)
    else { return value }
    return .string(name)
  }

  private func schemaField(_ key: String) -> Field? {
    entry.ref.kind.schema.fields.first { $0.key == key }
  }

  /// Returns the local value; for a reference to a record without an id, its name.
  private func local(_ field: Explanation.Field) -> JSONValue {
    guard field.local.isNull, let kind = schemaField(field.key)?.referencedKind,
      let target = explanation.waitsFor.first(where: { $0.kind == kind })
    else { return field.local }
    return .string(target.name)
  }
}

extension WhyText: MemberEncodable {
  var members: Members {
    [
      "schema": "stories.why/1", "ref": entry.ref, "state": entry.state,
      "code": StatusCode(entry), "id": entry.id, "updatedAt": entry.updatedAt,
      "askedServer": wasAsked, "verdict": explanation.verdict,
      "from": Omitted(entry.formerName), "waitsFor": explanation.waitsFor.filled,
      "failure": Omitted(failure), "fields": explanation.fields.map(members),
      "problems": entry.problems,
    ]
  }

  private func members(of field: Explanation.Field) -> Members {
    [
      "field": field.key, "base": field.base, "local": field.local,
      "server": Omitted(field.server), "policy": field.strategy,
      "verdict": explanation.verdict(of: field),
    ]
  }
}
