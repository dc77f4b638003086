/// Something that goes wrong with certain requests, to test a client.
///
/// Rules are set through the Swift API alone, never over HTTP.
public struct FaultRule: Sendable {
  /// The method by which rules name work in the background, whose path is
  /// `/illustrations/{story's id}/{order}`: an answer or a dropped connection lets that picture fail,
  /// with the answer's body as the reason.
  public static let work = "MAKE"

  /// The method of the requests; `nil` for all.
  public var method: String?
  /// A pattern for the whole path without the query, where `*` stands for any characters; `nil` for
  /// all.
  public var path: String?
  /// A further condition.
  public var condition: (@Sendable (LoggedRequest) -> Bool)?
  /// Which of the requests that match, counted from 1 since the rule was added.
  public var numbers: ClosedRange<Int>
  /// What happens to them.
  public var action: FaultAction

  /// A rule for every request that matches, or for those with the given numbers.
  public init(
    _ action: FaultAction, method: String? = nil, path: String? = nil,
    numbers: ClosedRange<Int> = 1...Int.max,
    condition: (@Sendable (LoggedRequest) -> Bool)? = nil
  ) {
    self.action = action
    self.method = method
    self.path = path
    self.numbers = numbers
    self.condition = condition
  }

  /// A rule for the n-th request that matches, counted from 1.
  public init(
    _ action: FaultAction, method: String? = nil, path: String? = nil, number: Int
  ) {
    self.init(action, method: method, path: path, numbers: number...number)
  }

  func matches(_ request: LoggedRequest) -> Bool {
    if let method, method != request.method { return false }
    if let path, !Self.matches(Array(request.path.utf8), Array(path.utf8)) { return false }
    return condition?(request) ?? true
  }

  /// Whether a text matches a pattern with `*`.
  private static func matches(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    var (place, index) = (0, 0)
    var retry: (place: Int, index: Int)?
    while place < text.count {
      if index < pattern.count, pattern[index] == UInt8(ascii: "*") {
        retry = (place, index)
        index += 1
      } else if index < pattern.count, pattern[index] == text[place] {
        place += 1
        index += 1
      } else if let last = retry {
        // The last star takes one character more.
        place = last.place + 1
        index = last.index + 1
        retry = (place, last.index)
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

/// What happens to a request that a rule matches; where several match, one after the other.
public enum FaultAction: Sendable {
  /// The connection is closed; nothing is done.
  case dropBeforeHandling
  /// The request is carried out and its answer lost.
  case dropAfterHandling
  /// This is answered, and nothing is done.
  case answer(status: Int, headers: [String: String] = [:], body: [UInt8] = [])
  /// The request is carried out, and this is answered.
  case answerAfterHandling(status: Int, headers: [String: String] = [:], body: [UInt8] = [])
  /// The request waits before it is handled; stopping the server ends the wait.
  case delay(milliseconds: Int)
  /// The answer's body ends after so many bytes, and the connection with it.
  case truncateBody(after: Int)
  /// The answer has this body instead.
  case replaceBody([UInt8])
  /// The answer's body is what this makes of it; the request was handled by then.
  case rewriteBody(@Sendable ([UInt8]) -> [UInt8])
  /// Code that runs before the request is handled, on the connection's thread. It may use the
  /// server, but not stop it.
  case before(@Sendable (LoggedRequest) -> Void)
  /// Code that runs after the request was handled, before the answer is sent.
  case after(@Sendable (LoggedRequest) -> Void)
}

/// Names a rule that was added to a server.
public struct FaultID: Sendable, Hashable {
  let number: Int
}
