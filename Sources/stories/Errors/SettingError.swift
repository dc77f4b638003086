import JSONText
import StoryAPI

enum SettingError: Error, Sendable, Equatable {
  /// An invalid value of a setting; `source` is its origin: `STORIES_RETRY`, `--set`.
  case wrongValue(source: String, word: String, ValueProblem)
  case unknownName(String, nearest: String?)
  /// `config.json` cannot be parsed or has an invalid value.
  case file(path: String, TextPosition?, message: String, hint: String?)
  case openToOthers(path: String)
}

extension ErrorReport {
  init(mapping error: SettingError, in context: Context) {
    switch error {
    case .wrongValue(let source, let word, let problem):
      self.init(
        "wrong-setting", "\(source) must be \(problem.expected), not “\(Redaction.word(word))”",
        hint: problem.nearest.map { "did you mean “\($0)”?" }, exitCode: .wrongUsage)
    case .unknownName(let name, let nearest):
      let known = SettingName.allCases.map(\.rawValue)
      self.init(
        "unknown-setting", "unknown setting “\(name)”",
        hint: nearest.map { "did you mean “\($0)”?" }
          ?? "the settings are \(Phrases.list(known))", exitCode: .wrongUsage)
    case .file(let path, let position, let message, let hint):
      self.init("wrong-setting", message, hint: hint, exitCode: .wrongUsage)
      place = Place(shown: context.shown(path), file: path, position: position)
    case .openToOthers(let path):
      self.init(
        "open-to-others", "others can change \(context.shown(path)), so it is not used",
        hint: "remove their permission: chmod go-w '\(context.shown(path))'", exitCode: .stopped)
    }
  }
}

extension KeyPins.Problem {
  var message: String {
    switch self {
    case .malformed(let text):
      "“\(ServerText.shown(text, limit: 80))” is no pin: write sha256/ and the digest in base64."
    case .plainHTTP(let origin): "\(origin) is not encrypted, so no key of it can be pinned."
    }
  }
}
