import JSONText
import StoryAPI

/// An account on a server, as the account commands tell of it.
struct AccountText: Sendable {
  let server: String
  /// The account; `nil` where the server has none, or nobody is signed in.
  let user: User?
  /// How long ago the server said so; `nil` for an answer of this moment.
  var age: Duration?

  /// `Max <max@example.org>`, or the address alone.
  var name: String {
    guard let user else { return "nobody" }
    guard let name = user.name, !name.isEmpty else { return user.email }
    return "\(name) <\(user.email)>"
  }

  /// The account as `stories.account/1`.
  var json: JSONValue {
    var account: JSONValue = .null
    if let user {
      account = [
        "id": .string(user.id), "email": .string(user.email),
        "name": user.name.map { .string($0) } ?? .null,
      ]
    }
    return [
      "schema": "stories.account/1", "server": .string(server), "account": account,
      "ageSeconds": Self.seconds(age),
    ]
  }

  /// An age in whole seconds; null for none.
  static func seconds(_ age: Duration?) -> JSONValue {
    age.map { .number(JSONNumber(Int($0.components.seconds))) } ?? .null
  }
}

extension Context {
  /// Says that something is not of this moment, why, and how old it is.
  func noteAge<Value>(of value: Cached<Value>) {
    guard let age = value.age else { return }
    let reason = value.failure.map { $0.message + " " } ?? ""
    note("Note: \(reason)This is the server's answer from \(Phrases.span(age)) ago.")
  }
}
