import CAllocations
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
    func addWriting(
      _ what: String, bound: Measurement.Bound, _ work: ([UInt8]) throws -> Void
    ) async throws {
      bench.add(
        try await bench.compare(Self.self, what, bound: bound, limit: "JSONSerialization") {
          try Bench.seconds { for text in texts { try work(text) } }
        } against: {
          try Bench.seconds {
            for text in data {
              let object = try JSONSerialization.jsonObject(with: text)
              _ = try JSONSerialization.data(withJSONObject: object)
            }
          }
        })
    }
    try await addWriting("parse and write", bound: .speed(atLeast: 1.5)) {
      _ = try JSONDocument(parsing: $0).root.compactBytes
    }
    try await addWriting("parse to values and write", bound: .none) {
      _ = try JSONValue(parsing: $0).compactBytes
    }
    try allocations(bench, texts)
  }

  /// How often memory is asked for, for each member of an object in the texts.
  private static func allocations(_ bench: Bench, _ texts: [[UInt8]]) throws {
    guard stories_allocation_count() >= 0 else { return }
    let members = try texts.reduce(0) { try $0 + memberCount(JSONValue(parsing: $1)) }
    func add(
      _ what: String, bound: Measurement.Bound, _ work: ([UInt8]) throws -> Void
    ) throws {
      let start = stories_allocation_count()
      for text in texts { try work(text) }
      let count = stories_allocation_count() - start
      bench.add(
        Measurement(
          area: name, what: "allocations a member, \(what)", unit: .count,
          samples: Samples([Double(count) / Double(members)]), bound: bound))
    }
    try add("parse", bound: .value(atMost: 1)) { _ = try JSONDocument(parsing: $0) }
    try add("parse and write", bound: .value(atMost: 1)) {
      _ = try JSONDocument(parsing: $0).root.compactBytes
    }
    // Each array, each object and each string of more than 15 bytes is one.
    try add("parse to values and write", bound: .none) {
      _ = try JSONValue(parsing: $0).compactBytes
    }
  }

  private static func memberCount(_ value: JSONValue) -> Int {
    switch value {
    case .object(let object):
      object.members.reduce(object.members.count) { $0 + memberCount($1.value) }
    case .array(let array): array.reduce(0) { $0 + memberCount($1) }
    default: 0
    }
  }
}
