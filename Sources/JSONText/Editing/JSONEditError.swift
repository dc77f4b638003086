/// Why an edit was refused. The document that was to be edited is as it was.
public enum JSONEditError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What stands at `path` (the names from the root; empty for the root) is no object.
  case notAnObject(path: [String])
  /// There is no member at `path`.
  case noSuchMember(path: [String])
  /// The result nests deeper or is larger than ``JSONDocument`` accepts.
  case limitExceeded(JSONSyntaxError)

  /// What is wrong, in one sentence.
  public var description: String {
    switch self {
    case .notAnObject(let path): "\(Self.inWords(path)) is not an object"
    case .noSuchMember(let path): "there is no \(Self.inWords(path))"
    case .limitExceeded(let error): "the edited text would not be accepted: \(error.message)"
    }
  }

  private static func inWords(_ path: [String]) -> String {
    path.isEmpty
      ? "the text’s value" : "member " + JSONValue.string(path.joined(separator: ".")).compactText
  }
}
