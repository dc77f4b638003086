import Foundation
import JSONText

/// The rows as a table or as JSON.
struct BenchReport {
  private let rows: [Measurement]
  private let records: Int
  private let rounds: Int

  init(_ bench: Bench) {
    rows = bench.rows
    records = bench.options.records
    rounds = bench.options.rounds
  }

  // MARK: A table for people

  var table: String {
    var lines = [
      ["what", "median", "spread", "limit", "limit's", "ratio", "bound", "peak memory", ""]
    ]
    for row in rows {
      lines.append([
        "\(row.area): \(row.what)", Self.text(row.samples.median, row.unit),
        row.samples.values.count > 1 ? "\(Int((row.samples.spread * 100).rounded())) %" : "",
        row.limit?.name ?? "", row.limit.map { Self.text($0.samples.median, row.unit) } ?? "",
        Self.ratio(row), Self.bound(row),
        row.peakMemory.map { Self.text(Double($0), .bytes) } ?? "",
        row.isMet.map { $0 ? "met" : "NOT MET" } ?? "",
      ])
    }
    let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    func line(_ cells: [String]) -> String {
      "| "
        + zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
        .joined(separator: " | ") + " |"
    }
    let rule = widths.map { String(repeating: "-", count: $0) }
    return ([lines[0], rule] + lines.dropFirst()).map(line).joined(separator: "\n")
  }

  private static func text(_ value: Double, _ unit: Measurement.Unit) -> String {
    switch unit {
    case .bytes where value < 100_000: String(format: "%.1f KB", value / 1_000)
    case .bytes: String(format: "%.1f MB", value / 1_000_000)
    case .count: String(format: value < 10 ? "%.2f" : "%.0f", value)
    case .seconds where value < 0.0005: String(format: "%.1f µs", value * 1_000_000)
    case .seconds where value < 1: String(format: "%.1f ms", value * 1_000)
    case .seconds: String(format: "%.2f s", value)
    }
  }

  private static func ratio(_ row: Measurement) -> String {
    guard let ratio = row.ratio else { return "" }
    if case .speed = row.bound { return String(format: "%.2f × as fast", 1 / ratio) }
    return String(format: "%.2f ×", ratio)
  }

  private static func bound(_ row: Measurement) -> String {
    switch row.bound {
    case .ratio(let most): String(format: "≤ %.2f ×", most)
    case .speed(let least): String(format: "≥ %.1f ×", least)
    case .value(let most): "≤ " + text(most, row.unit)
    case .none: ""
    }
  }

  // MARK: JSON for programs

  var json: String {
    let document: JSONValue = [
      "schema": "stories.bench/1", "records": .number(JSONNumber(records)),
      "rounds": .number(JSONNumber(rounds)), "rows": .array(rows.map(Self.json)),
    ]
    return String(decoding: document.fileBytes(), as: UTF8.self)
  }

  private static func number(_ value: Double) -> JSONValue {
    let text = String(format: "%.9g", value)
    return (try? JSONValue(parsing: Array(text.utf8))) ?? .null
  }

  private static func json(_ row: Measurement) -> JSONValue {
    var object: JSONObject = [
      "area": .string(row.area), "what": .string(row.what), "unit": .string(row.unit.rawValue),
      "median": number(row.samples.median), "spread": number(row.samples.spread),
      "values": .array(row.samples.values.map(number)),
    ]
    if let limit = row.limit {
      object["limit"] = [
        "what": .string(limit.name), "median": number(limit.samples.median),
        "values": .array(limit.samples.values.map(number)),
      ]
    }
    if let ratio = row.ratio { object["ratio"] = number(ratio) }
    switch row.bound {
    case .ratio(let most): object["bound"] = ["ratioAtMost": number(most)]
    case .speed(let least): object["bound"] = ["speedAtLeast": number(least)]
    case .value(let most): object["bound"] = ["valueAtMost": number(most)]
    case .none: break
    }
    if let peak = row.peakMemory { object["peakMemory"] = .number(JSONNumber(peak)) }
    if let isMet = row.isMet { object["isMet"] = .bool(isMet) }
    return .object(object)
  }
}
