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

extension SettingError: ReportedError {
  func report(in context: Context) -> ErrorReport {
    switch self {
    case .wrongValue(let source, let word, let problem):
      .misuse(
        "wrong-setting", "\(source) must be \(problem.expected), not “\(Redaction.word(word))”",
        hint: problem.nearest.map { "did you mean “\($0)”?" })
    case .unknownName(let name, let nearest):
      .misuse(
        "unknown-setting", "unknown setting “\(name)”",
        hint: nearest.map { "did you mean “\($0)”?" }
          ?? "the settings are \(Phrases.list(SettingName.choices))")
    case .file(let path, let position, let message, let hint):
      .misuse(
        "wrong-setting", message,
        at: .init(shown: context.shown(path), file: path, position: position), hint: hint)
    case .openToOthers(let path):
      .init(
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
