import StoryAPI
import StoryLibrary
import StoryServer
import TestSupport

@testable import StorySync

/// What goes wrong while a library syncs.
extension SyncMachine {
  func randomFault() -> FaultRule {
    let number = Int.random(in: 1...14, using: &random)
    let action: FaultAction = pick([
      .dropBeforeHandling, .dropAfterHandling, .dropAfterHandling,
      .answer(status: 500), .answer(status: 503), .answerAfterHandling(status: 500),
      .answerAfterHandling(status: 502), .truncateBody(after: 20),
      .answer(status: 429, headers: ["Retry-After": "1"]), .answer(status: 404),
    ])
    let method = pick([nil, nil, "POST", world.method(of: "PATCH"), world.method(of: "DELETE")])
    let first = method == nil ? number : Int.random(in: 1...3, using: &random)
    // Some faults last, so that trying again in the same run does not help.
    let last = Bool.random(using: &random) ? first : Int.max
    ledger.note("fault \(action) at \(method ?? "request") \(first)\(last == first ? "" : " on")")
    return FaultRule(action, method: method, numbers: first...last) {
      !$0.path.hasSuffix("/health") && $0.path != "/v1/"
    }
  }

  /// The process ends when a request is under way: it is carried out or never arrives, and nobody sees an
  /// answer.
  func killAtARequest(_ place: Int) -> FaultRule {
    let stops = clones[place].stops
    let number = Int.random(in: 1...14, using: &random)
    let isDone = Bool.random(using: &random)
    ledger.note("killed at request \(number), which is \(isDone ? "done" : "lost")")
    let count = Box(0)
    return FaultRule(isDone ? .dropAfterHandling : .dropBeforeHandling) { _ in
      count.change { $0 += 1 }
      guard count.value == number else { return false }
      stops.stop()
      return true
    }
  }

  /// Somebody saves a file, or changes the server, in the middle of a sync.
  func editDuringSync(_ place: Int) -> FaultRule {
    let (hand, server, ledger) = (clones[place].hand, server, ledger)
    var inner = SeededGenerator(seed: random.next())
    let number = Int.random(in: 1...12, using: &random)
    // Without preconditions there is a gap between looking and writing that nobody can close.
    let isRemote = features.contains(.etag) && Bool.random(using: &inner)
    let generator = inner
    return FaultRule(
      .before { _ in
        var random = generator
        ledger.note("meanwhile")
        for _ in 0..<3 {
          do {
            switch (isRemote, Int.random(in: 0..<10, using: &random)) {
            case (true, _): try server.edit(&random)
            case (false, 0): try hand.create(&random)
            case (false, 1): try hand.delete(&random)
            case (false, 2): try hand.move(&random)
            case (false, _): try hand.edit(&random)
            }
          } catch {
            ledger.note("meanwhile: \(error)")
          }
        }
      }, numbers: number...number)
  }

  /// Somebody saves a file right before some change that the sync makes.
  func saveDuringSync(_ place: Int) {
    let (hand, ledger) = (clones[place].hand, ledger)
    let generator = SeededGenerator(seed: random.next())
    clones[place].stops.interrupt(at: Int.random(in: 1...60, using: &random)) {
      var random = generator
      ledger.note("at this moment")
      for _ in 0..<2 {
        do { try hand.edit(&random) } catch { ledger.note("at this moment: \(error)") }
      }
    }
  }
}
