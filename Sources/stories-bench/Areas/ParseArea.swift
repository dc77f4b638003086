import Foundation
import JSONText
import StoryLibrary

/// Reading and writing JSON.
enum ParseArea: Area {
  static let name = "parse"
  static let summary = "JSONText against JSONSerialization on stories"

  static func measure(_ bench: Bench) async throws {
    var texts: [[UInt8]] = []
    var tale = Tale()
    tale.records(2_000) { record, references in
      guard record.ref.kind == .stories else { return }
      texts.append(RecordFile.newFile(record.fields, references: references))
    }
    let data = texts.map { Data($0) }
    bench.add(
      try await bench.compare(
        Self.self, "parse of \(texts.count) stories", bound: .speed(atLeast: 1.5),
        limit: "JSONSerialization"
      ) {
        try Bench.seconds { for text in texts { _ = try JSONDocument(parsing: text) } }
      } against: {
        try Bench.seconds {
          for text in data { _ = try JSONSerialization.jsonObject(with: text) }
        }
      })
    bench.add(
      try await bench.compare(
        Self.self, "parse to values and write", bound: .speed(atLeast: 1.5),
        limit: "JSONSerialization"
      ) {
        try Bench.seconds {
          for text in texts { _ = try JSONValue(parsing: text).compactBytes }
        }
      } against: {
        try Bench.seconds {
          for text in data {
            let object = try JSONSerialization.jsonObject(with: text)
            _ = try JSONSerialization.data(withJSONObject: object)
          }
        }
      })
  }
}
