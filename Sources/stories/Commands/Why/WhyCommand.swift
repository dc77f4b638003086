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
    let access = ServerAccess(
      library: opened.library, setting: setting, context: opened.context)
    return try await access.closing {
      let connection = try await access.connect(opened.scan)
      do throws(APIError) {
        return try await connection.client.record(kind, id: id)
      } catch {
        guard case .notFound = error else { throw error }
        return nil
      }
    }
  }
}
