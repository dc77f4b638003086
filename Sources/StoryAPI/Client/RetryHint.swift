/// The time at which a server wants to be asked again.
public enum RetryHint {
  /// Returns the wait in a response: `Retry-After` in seconds or as a date (RFC 9110, section
  /// 10.2.3), or `X-RateLimit-Reset` in Unix seconds, or `nil` if neither can be parsed.
  ///
  /// Dates are relative to the response's `Date`, so that this machine's clock does not matter, or
  /// to `now` without one. A past time gives zero.
  public static func wait(_ headers: HTTPHeaders, now: ServerDate) -> Duration? {
    let start = headers["Date"].flatMap { ServerDate(http: $0) } ?? now
    if let text = headers["Retry-After"]?.trimmed {
      if let seconds = seconds(text) { return .seconds(seconds) }
      if let date = ServerDate(http: text) { return max(.zero, date.duration(since: start)) }
    }
    if let text = headers["X-RateLimit-Reset"]?.trimmed, let reset = seconds(text) {
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

extension String {
  /// The text without leading and trailing white space.
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}
