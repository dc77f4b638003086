/// A refused edit, which leaves the document unchanged.
public enum JSONEditError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The value at `path` (the names from the root; empty for the root) is not an object.
  case notAnObject(path: [String])
  /// There is no member at `path`.
  case noSuchMember(path: [String])
  /// The result exceeds the depth or size limit of ``JSONDocument``.
  case limitExceeded(JSONSyntaxError)

  /// A description of the error in one sentence.
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
