import Foundation

/// The time at which a server wants to be asked again.
public enum RetryHint {
  /// Returns the wait in a response: `Retry-After` in seconds or as a date (RFC 9110, section
  /// 10.2.3), or `X-RateLimit-Reset` in Unix seconds, or `nil` if neither can be parsed.
  ///
  /// Dates are relative to the response's `Date`, so that this machine's clock does not matter, or
  /// to `now` without one. A past time gives zero.
  public static func wait(_ headers: HTTPHeaders, now: ServerDate) -> Duration? {
    let start = headers["Date"].flatMap { ServerDate(http: $0) } ?? now
    func text(_ name: String) -> String? {
      headers[name]?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    if let text = text("Retry-After") {
      if let seconds = ServerDate.plain(text, 1...12) { return .seconds(seconds) }
      if let date = ServerDate(http: text) { return max(.zero, date.duration(since: start)) }
    }
    if let reset = text("X-RateLimit-Reset").flatMap({ ServerDate.plain($0, 1...12) }) {
      return max(.zero, ServerDate(seconds: Int64(reset)).duration(since: start))
    }
    return nil
  }
}
