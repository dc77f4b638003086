import JSONText
import StoryAPI
import StoryLibrary
import StorySync

extension SyncReport.Failure {
  /// The code for scripts and the place, or `nil` if the record's file is not the cause.
  var place: (code: Problem.Code, file: String, position: TextPosition?)? {
    switch reason {
    case .problem(let problem): (problem.code, problem.file, problem.position)
    case .mayBeHidden, .mayBeCreated: (.refused, ref.path, nil)
    default: nil
    }
  }

  var message: String {
    switch reason {
    case .problem(let problem): problem.message
    case .server(let error): Phrases.clause(error.message)
    case .file(let error): error.description
    case .waits(let other): "waits for \(other), which is not on the server"
    case .waitsForRelease(let other):
      "waits for \(other), which still refers to it on the server"
    case .namedMeanwhile(let other):
      "not deleted: somebody has just made \(other) refer to it on the server"
    case .fileKeepsChanging:
      "the file kept changing during the sync, or a program has it open for writing"
    case .serverKeepsChanging: "the server's version keeps changing"
    case .malformed(.decoding(let problem, let place)):
      "skipped, because the server's record is malformed: "
        + ServerText.shown("\(place): \(problem.message)")
    case .malformed(let error):
      "skipped, because the server's record is malformed: \(Phrases.clause(error.message))"
    case .mayBeHidden:
      "not created: it may be the malformed record on the server"
    case .mayBeCreated(isMadeAgain: true):
      "maybe created: it was deleted on the server, and a record of the same name has been created"
        + " since"
    case .mayBeCreated(isMadeAgain: false):
      "maybe created: the answer to its create was lost, and the server has since got a record of"
        + " the same name"
    }
  }

  /// The advice, or `nil` if the message is enough.
  var hint: String? {
    switch reason {
    case .problem(let problem): problem.advice
    case .server(let error): error.suggestion.map(Phrases.clause)
    case .file: nil
    case .waits(let other), .waitsForRelease(let other):
      "see why \(other) was not sent: stories status"
    case .namedMeanwhile(let other):
      "`stories sync pull` fetches \(other); see `stories status` then"
    case .fileKeepsChanging: "save it, close it there, and run `stories sync` again"
    case .serverKeepsChanging: "run `stories sync` again"
    case .malformed: "check the server's version: stories doctor"
    case .mayBeHidden:
      "new \(ref.kind.rawValue) wait until the server's list can be read; check the"
        + " server's version: stories doctor"
    case .mayBeCreated:
      "`stories sync pull` fetches that record; then remove one of the two, or give this one another"
        + " name"
    }
  }
}

extension SyncWording {
  static let english = SyncWording(
    report: { JSONValue(encoding: $0).object ?? JSONObject() },
    failure: { FailureStore.Failure(message: $0.message, hint: $0.hint) })
}
