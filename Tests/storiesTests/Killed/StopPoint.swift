import Foundation
import StoryServer
import Synchronization
import TestSupport

/// A moment in a sync at which the program is killed.
enum StopPoint: Sendable, CustomStringConvertible {
  /// Right before the n-th change of a file, which is right after the one before it.
  case change(Int)
  /// In the middle of the n-th change of a file, which is a write.
  case halfWrite(Int)
  /// In the middle of the n-th change of a file, which is a rename on a drive: the old file is gone.
  case halfRename(Int)
  /// The n-th request has left and never arrives.
  case request(Int)
  /// The server has carried out the n-th request, and nobody gets its answer.
  case answer(Int)

  var description: String {
    switch self {
    case .change(let number): "before change \(number)"
    case .halfWrite(let number): "in the middle of write \(number)"
    case .halfRename(let number): "in the middle of rename \(number)"
    case .request(let number): "at request \(number)"
    case .answer(let number): "at the answer to request \(number)"
    }
  }

  /// All moments of a run that was not disturbed: what its changes were, and how many requests it sent.
  static func all(changes: String, requests: Int, isOnDrive: Bool) -> [StopPoint] {
    var points: [StopPoint] = []
    for (place, kind) in changes.enumerated() {
      points.append(.change(place + 1))
      if kind == "w" { points.append(.halfWrite(place + 1)) }
      if kind == "r", isOnDrive { points.append(.halfRename(place + 1)) }
    }
    for number in 1..<max(requests + 1, 1) { points += [.request(number), .answer(number)] }
    return points
  }

  /// Runs a command line and kills it there; it may also end before.
  func kill(_ copy: MixedCopy, _ arguments: [String]) throws {
    var program = copy.armed()
    switch self {
    case .change(let number): program = copy.armed(at: number)
    case .halfWrite(let number), .halfRename(let number):
      program = copy.armed(at: number, tears: true)
    case .request, .answer: break
    }
    let victim = Victim()
    switch self {
    case .request(let number):
      copy.server?.server.addFault(FaultRule(.before { _ in victim.kill() }, number: number))
      copy.server?.server.addFault(FaultRule(.dropBeforeHandling, number: number))
    case .answer(let number):
      copy.server?.server.addFault(FaultRule(.after { _ in victim.kill() }, number: number))
      copy.server?.server.addFault(FaultRule(.dropAfterHandling, number: number))
    case .change, .halfWrite, .halfRename: break
    }
    let running = try program.start(arguments)
    victim.running.withLock { $0 = running }
    running.send("")
    _ = running.wait()
    copy.server?.server.removeFaults()
  }

  /// The program that is to be killed.
  private final class Victim: Sendable {
    let running = Mutex<RunningProgram?>(nil)

    /// Kills it; on a connection's own thread, which may be faster than the one that started it.
    func kill() {
      waitUntil { running.withLock { $0 } != nil }
      running.withLock { $0 }?.signal(SIGKILL)
    }
  }
}
