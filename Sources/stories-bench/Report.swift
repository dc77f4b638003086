import Foundation

/// The rows of a run, as a table for people or as JSON (`stories.bench/1`).
struct Report: Encodable {
  let schema = "stories.bench/1"
  var records: Int
  var rounds: Int
  var rows: [Row] = []

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  var table: String {
    let cells =
      [["what", "median", "spread", "limit", "limit's", "ratio", "bound", ""]] + rows.map(\.cells)
    let widths = cells[0].indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    let lines = cells.map { row in
      "| " + zip(row, widths).map { $0.padded(to: $1) }.joined(separator: " | ") + " |"
    }
    let rule = widths.map { String(repeating: "-", count: $0 + 2) + "|" }
    return ([lines[0], "|" + rule.joined()] + lines.dropFirst()).joined(separator: "\n")
  }
}

/// A measurement, repeated in several rounds, and its limit.
struct Row: Encodable {
  enum Unit: String, Encodable { case seconds, bytes, count }

  /// The condition: a ratio to the limit of the same round, or a value.
  enum Bound: Encodable { case ratio(atMost: Double), value(atMost: Double) }

  /// The limit, measured in alternation in the same rounds.
  struct Limit: Encodable {
    var what: String
    var values: [Double]
  }

  var what: String
  var unit = Unit.seconds
  var values: [Double]
  var limit: Limit?
  var bound: Bound?

  /// The median of the rounds' ratios, since a disturbance of a round affects both sides.
  var ratio: Double? { limit.map { zip(values, $0.values).map { $0 / $1 }.median } }

  /// Whether the bound is met, or `nil` without a bound.
  var isMet: Bool? {
    switch bound {
    case .ratio(let most): ratio.map { $0 <= most }
    case .value(let most): values.median <= most
    case nil: nil
    }
  }

  var cells: [String] {
    let spread = ((values.max() ?? 0) - (values.min() ?? 0)) / values.median
    let bound =
      switch bound {
      case .ratio(let most): String(format: "≤ %.2f ×", most)
      case .value(let most): "≤ " + text(most)
      case nil: ""
      }
    return [
      what, text(values.median),
      values.count > 1 ? String(format: "%.0f %%", spread * 100) : "", limit?.what ?? "",
      limit.map { text($0.values.median) } ?? "", ratio.map { String(format: "%.2f ×", $0) } ?? "",
      bound, isMet.map { $0 ? "met" : "NOT MET" } ?? "",
    ]
  }

  private func text(_ value: Double) -> String {
    switch unit {
    case .bytes where value < 100_000: String(format: "%.1f KB", value / 1_000)
    case .bytes: String(format: "%.1f MB", value / 1_000_000)
    case .count: String(format: "%.0f", value)
    case .seconds where value < 0.0005: String(format: "%.1f µs", value * 1_000_000)
    case .seconds where value < 1: String(format: "%.1f ms", value * 1_000)
    case .seconds: String(format: "%.2f s", value)
    }
  }
}

extension [Double] {
  /// The middle value, or the mean of the two middle ones.
  var median: Double {
    guard !isEmpty else { return .nan }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
