import StoryAPI
import StoryLibrary
import TestSupport
import Testing

/// A server that repeats what it was sent, in every place that can reach a message or a log.
@Suite(.inTurn) struct SecretTests {
  static let token = "marked-token-0123456789-abcdefghijklmnopqrstuvwxyz"
  static let password = "marked-password"

  @Test(arguments: [
    (200, #"{"data":{"id":"h","updatedAt":"%"}}"#), (200, #"{"error":"%"}"#), (200, "% is no JSON"),
    (400, #"{"error":{"message":"%","details":{"%":"%"}}}"#), (403, #"{"error":{"message":"%"}}"#),
    (409, #"{"message":"%"}"#), (500, #"{"error":"%"}"#), (418, #"{"error":"%"}"#), (429, "%"),
    (404, "%"), (412, #"{"data":"%"}"#),
  ]) func `nothing that is told holds a secret`(_ status: Int, _ body: String) async throws {
    let bearers = Box<[String]>([])
    let server = try ScriptedServer { request, _ in
      bearers.change { $0.append(request.headers["authorization"] ?? "") }
      return .answer(
        status, body.replacing("%", with: request.text.isEmpty ? Self.token : Self.password))
    }
    let told = Box<[String]>([])
    var configuration = ClientConfiguration.quick(retries: RetryPolicy(retries: 1))
    configuration.logsBodies = true
    configuration.observe = { event in told.change { $0.append("\(event)") } }
    let session = Session(token: Secret(Self.token), refreshToken: Secret(Self.token + "-r"))
    let client = try APIClient(server, configuration, session: session)
    do {
      _ = try await client.record(.heroes, id: "h")
    } catch {
      told.change { $0.append("\(error)") }
    }
    do {
      _ = try await client.signIn(email: "e", password: Secret(Self.password))
    } catch {
      told.change { $0.append("\(error)") }
    }
    #expect(bearers.value.contains("Bearer \(Self.token)"))
    #expect(told.value.count >= 3)
    for text in told.value {
      #expect(!text.contains("marked-"), "\(text)")
    }
  }
}
