import JSONText
import StoryAPI
import StoryLibrary
import StorySync

struct UsageCommand: Command {
  static let name = "usage"
  static let summary = "Show your quota on the server"
  static let discussion = """
    Servers that write, draw or narrate count how often they do so in a period. Asks the server; \
    if it does not answer, shows its last answer with its age, if that is cached in the library. \
    Exits with 5 if you are not signed in.
    """

  func run(_ context: Context) async throws -> ExitCode {
    let (usage, server) = try await ask(context)
    context.tell([
      "schema": "stories.usage/1", "server": server, "ageSeconds": usage.age?.wholeSeconds,
      "limits": usage.value,
    ]) { write(usage.value, context) }
    context.noteAge(of: usage)
    return .done
  }

  private func ask(_ context: Context) async throws -> (Cached<[UsageLimit]>, server: String) {
    // The embedded server generates too, while this command asks it.
    if let library = try? context.library(),
      let setting = try? context.serverSetting(library), setting.server == .embedded
    {
      return try await context.withServer(setting, of: library) { connect in
        let user = Repositories(library, time: context.time, connect: connect).user
        return (try await context.interruptible { try await user.usage() }, setting.server.text)
      }
    }
    let remote = try RemoteServer(context)
    let (client, _) = try await remote.signedInClient()
    do {
      let usage = try await context.interruptible { try await client.usage(policy: .networkFirst) }
      return (usage, remote.address.text)
    } catch let error as APIError where error == .notFound {
      throw APIError.unsupported(.usage(server: remote.address.text))
    }
  }

  private func write(_ limits: [UsageLimit], _ context: Context) {
    guard !limits.isEmpty else { return context.output.line("The server sets no limits.") }
    var table = Table(indent: 0)
    for limit in limits {
      let isOver = limit.remaining <= 0
      let left = Text("\(limit.remaining) of \(limit.limit) left", isOver ? .warning : .plain)
      let wait = limit.resetAt?.duration(since: context.time.now())
      let reset = wait.map { $0 > .zero ? "resets in \(Phrases.span($0))" : "" } ?? ""
      let name = Text(limit.operation.split(separator: "_").joined(separator: " "))
      if reset.isEmpty { table.add(name, left) } else { table.add(name, left, Text(reset, .faint)) }
    }
    table.write(to: context.output)
  }
}

extension UsageLimit: MemberEncodable {
  var members: Members {
    ["operation": operation, "limit": limit, "remaining": remaining, "resetAt": resetAt]
  }
}
