import JSONText

extension Field {
  /// Everything that affects the meaning of a value, in one line, so that an index written with
  /// other rules can be recognized. Every property of a field belongs here.
  ///
  /// It is built by hand because every start needs it, and reflection takes a tenth of that time.
  var summary: String {
    let marks = "\(isRequired ? "!" : "")\(merge.rawValue) \(strategy.rawValue)"
    let fallback = defaultValue.map { String(decoding: $0.compactBytes, as: UTF8.self) } ?? ""
    return "\(key) \(wireKey) \(shape.summary) \(marks) \(fallback)"
  }
}

extension Field.Shape {
  fileprivate var summary: String {
    switch self {
    case .text(let length): "text \(length.lowerBound) \(length.upperBound)"
    case .choice(let words): "choice \(words.joined(separator: ","))"
    case .lines: "lines"
    case .phrases(let count, let length):
      "phrases \(count.lowerBound) \(count.upperBound) \(length.lowerBound) \(length.upperBound)"
    case .integer(let range): "integer \(range.lowerBound) \(range.upperBound)"
    case .number: "number"
    case .boolean: "boolean"
    case .list(let count, let length):
      "list \(count.lowerBound) \(count.upperBound) \(length.lowerBound) \(length.upperBound)"
    case .reference(let kind): "reference \(kind.rawValue)"
    }
  }
}
