/// A refused edit, which leaves the document unchanged.
public enum JSONEditError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text's value is not an object.
  case notAnObject
  /// The result exceeds the depth or size limit of ``JSONDocument``.
  case limitExceeded(JSONSyntaxError)

  /// A description of the error in one sentence.
  public var description: String {
    switch self {
    case .notAnObject: "the text’s value is not an object"
    case .limitExceeded(let error): "the edited text would not be accepted: \(error.message)"
    }
  }
}
