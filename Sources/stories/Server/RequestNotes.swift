import StoryAPI

/// Tells what a client does: waits always, every request with `-v`, bodies as well with `-vv`.
struct RequestNotes: Sendable {
  let context: Context

  func tell(_ event: RequestEvent) {
    switch event {
    case .finished(let report):
      for line in report.description.split(separator: "\n") {
        context.detail(Text(String(line), .faint))
      }
    case .waiting(let notice):
      context.note("\(notice.error.message) Trying again in \(Phrases.time(notice.wait)).")
    case .resumed: break
    case .sessionNotStored(let error):
      context.note("Note: the session was renewed, but not kept: \(error.message)")
    }
  }
}
