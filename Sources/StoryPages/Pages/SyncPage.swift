/// A sync: a form to start it, its progress, and its report.
public struct SyncPage: Sendable {
  /// A sync at one moment.
  public enum State: Sendable {
    /// There has been none.
    case none
    /// It is at work.
    case running(phase: String, count: (done: Int, total: Int)?)
    /// It has ended.
    ///
    /// - Parameters:
    ///   - time: When it ended, in words.
    ///   - report: The lines of the report.
    ///   - errors: The lines about what went wrong, and notes.
    ///   - isGood: Whether nothing went wrong.
    ///   - conflicts: The number of conflicts that it left.
    case ended(time: String, report: [String], errors: [String], isGood: Bool, conflicts: Int)
  }

  /// A direction that the form offers.
  public enum Direction: String, Sendable, CaseIterable {
    /// Receive, then send.
    case both
    /// Only receive.
    case pull
    /// Only send.
    case push
  }

  /// The server.
  public var server: String
  /// The sync.
  public var state: State
  /// What to know first.
  public var notices: [Notice]

  /// Creates the page.
  public init(server: String, state: State, notices: [Notice] = []) {
    self.server = server
    self.state = state
    self.notices = notices
  }

  /// The name of the buttons that start a sync; their values are ``Direction``.
  public static let directionField = "direction"
  /// The seconds after which the page of a running sync is loaded again.
  ///
  /// Loading takes the place on the page with it, from readers of screens and keyboards too: two
  /// seconds let a line be read, and are still soon enough to see that something happens.
  static let interval = 2

  /// Whether it is at work.
  public var isRunning: Bool {
    if case .running = state { true } else { false }
  }

  /// Returns the page.
  public func markup(_ frame: PageFrame) -> Markup {
    let links = frame.links
    let title = isRunning ? "Syncing" : "Sync"
    return frame.page(title, .sync, look: "work", refresh: isRunning ? Self.interval : nil) {
      tag("h1") { title }
      tag("p", ["class": "about"]) { record("span", [:], "Server: \(server)") }
      for notice in notices { notice.markup }
      switch state {
      case .none: start(links)
      case .running(let phase, let count): progress(phase, count)
      case .ended(let time, let report, let errors, let isGood, let conflicts):
        tag("p", ["class": "soft"]) { "The last sync ended \(time)." }
        if !report.isEmpty { Self.lines(report, "report") }
        if !errors.isEmpty { Self.lines(errors, isGood ? "report" : "report error") }
        if conflicts > 0 {
          tag("p", ["class": "do"]) {
            tag("a", ["href": links(.conflicts)]) { "Resolve conflicts" }
          }
        }
        start(links)
      }
    }
  }

  @MarkupBuilder
  private func progress(_ phase: String, _ count: (done: Int, total: Int)?) -> Markup {
    let known = count.flatMap { $0.total > 0 ? $0 : nil }
    let bar: Attributes = [
      "aria-labelledby": "phase", "value": known.map { "\(min($0.done, $0.total))" },
      "max": known.map { "\($0.total)" },
    ]
    tag("div", ["class": "progress"]) {
      tag("p", ["id": "phase"]) { phase + (count.map { " \($0.done) of \($0.total)" } ?? "") }
      tag("progress", bar)
    }
    tag("p", ["class": "soft"]) { "This page updates itself every \(Self.interval) seconds." }
  }

  private static func lines(_ lines: [String], _ look: String) -> Markup {
    tag("pre", ["class": look]) { lines.joined(separator: "\n") }
  }

  private func start(_ links: Links) -> Markup {
    func button(_ direction: Direction, _ name: String, look: String? = "plain") -> Markup {
      let value = direction.rawValue
      return tag("button", ["class": look, "name": Self.directionField, "value": value]) { name }
    }
    return links.form(.sync) {
      tag("p", ["class": "do"]) {
        button(.both, "Sync", look: nil)
        button(.pull, "Only receive")
        button(.push, "Only send")
      }
    }
  }
}
