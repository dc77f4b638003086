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
      if let seconds = seconds(text) { return .seconds(seconds) }
      if let date = ServerDate(http: text) { return max(.zero, date.duration(since: start)) }
    }
    if let reset = text("X-RateLimit-Reset").flatMap(seconds) {
      return max(.zero, ServerDate(seconds: reset).duration(since: start))
    }
    return nil
  }

  private static func seconds(_ text: String) -> Int64? {
    guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int64(text)
  }
}
