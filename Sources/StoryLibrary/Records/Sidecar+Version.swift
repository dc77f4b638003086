extension Sidecar {
  /// Returns whether the server wrote one revision before another.
  ///
  /// Both are from one server and one record, so they have the same form; only the fraction of a
  /// second may have more digits or be absent (RFC 3339, section 5.6).
  package static func isVersion(_ left: String, before right: String) -> Bool {
    let (left, right) = (parts(left), parts(right))
    if left.seconds != right.seconds { return left.seconds < right.seconds }
    return left.fraction < right.fraction
  }

  private static func parts(_ version: String) -> (seconds: String, fraction: String) {
    let text = version.last == "Z" || version.last == "z" ? version.dropLast() : version[...]
    guard let dot = text.firstIndex(of: ".") else { return (String(text), "") }
    var fraction = text[text.index(after: dot)...]
    while fraction.last == "0" { fraction.removeLast() }
    return (String(text[..<dot]), String(fraction))
  }
}
