import JSONText

extension Field {
  /// Everything that decides what a value means, in one line: an index that was written by other rules
  /// is told by it. A new property of a field belongs in here.
  ///
  /// It is written out by hand, for it is made at each start, and to describe values by their
  /// structure takes a tenth of one.
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
