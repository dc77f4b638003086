extension Duration: ArgumentValue {
  private static let units: [(name: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
  ]
  private static let longest: Int64 = 3_650 * 86_400_000

  /// Parses a time span such as `500ms`, `90s`, `15m`, `1h30m`, `7d`.
  ///
  /// One or more whole numbers, each with its unit, larger units first: `d`, `h`, `m`, `s`, `ms`. A
  /// day has 24 hours. It is greater than zero and at most ten years.
  static func parse(_ word: String) throws(ValueProblem) -> Duration {
    let problem = ValueProblem(expected: "a time with its unit, such as 500ms, 90s, 15m, 24h or 7d")
    var rest = word[...]
    var total: Int64 = 0
    var units = Self.units[...]
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      let name = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(name.count)
      guard (1...12).contains(digits.count), let number = Int64(digits),
        let place = units.firstIndex(where: { $0.name == name })
      else { throw problem }
      let (part, isTooMuch) = number.multipliedReportingOverflow(by: units[place].milliseconds)
      guard !isTooMuch, part <= longest else { throw problem }
      total += part
      units = units[(place + 1)...]
    }
    guard (1...longest).contains(total) else { throw problem }
    return .milliseconds(total)
  }

  /// The span in the form of ``parse(_:)``, with as few parts as possible.
  var text: String {
    var rest = Int64(self / .milliseconds(1))
    var parts = ""
    for (name, size) in Self.units where rest >= size {
      parts += "\(rest / size)\(name)"
      rest %= size
    }
    return parts.isEmpty ? "0s" : parts
  }
}
