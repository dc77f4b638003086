import JSONText
import StoryAPI

/// A server account as the account commands show it.
struct AccountText: Sendable, MemberEncodable {
  let server: String
  /// The account, or `nil` if the server has none or nobody is signed in.
  let user: User?
  /// The age of the server's answer, or `nil` for a current one.
  var age: Duration?

  /// `Max <max@example.org>`, or the address alone.
  var name: String {
    guard let user else { return "nobody" }
    guard let name = user.name, !name.isEmpty else { return user.email }
    return "\(name) <\(user.email)>"
  }

  var members: Members {
    [
      "schema": "stories.account/1", "server": server, "account": user,
      "ageSeconds": age?.wholeSeconds,
    ]
  }
}

extension User: MemberEncodable {
  var members: Members { ["id": id, "email": email, "name": name] }
}

extension Context {
  func noteAge<Value>(of value: Cached<Value>) {
    guard let age = value.age else { return }
    let reason = value.failure.map { $0.message(at: reach.value) + " " } ?? ""
    note("Note: \(reason)This is the server's answer from \(Phrases.span(age)) ago.")
  }
}
