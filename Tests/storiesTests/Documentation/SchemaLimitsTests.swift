import StoryLibrary
import Testing

@testable import StoryServer

/// The library's table of kinds holds for whatever is written in a library and pushed. The embedded
/// server has rules of its own, on purpose; each difference between the two is named here.
@Suite struct SchemaLimitsTests {
  @Test func `the embedded server's own limits differ in these places`() {
    #expect(
      differences(.v0) == [
        "heroes age: 3...12 required, server 0...150 required",
        "heroes traits: 1...20 × 1...100 required, server 0...20 × 1...100 = []",
        "heroes specialAbility: 0...10 × 0...1000, server 0...1000",
        "heroes appearance: 0...1000, server 0...2000",
        "stories eventType: one of 10, server 1...100",
        "stories language: one of 5 = \"en\", server a language tag = \"en\"",
      ])
  }

  @Test func `the limits of the service as deployed differ in these places`() {
    #expect(
      differences(.v1) == [
        "heroes specialAbility: 0...10 × 0...1000, server 0...10 × 1...1000",
        "heroes appearance: 0...1000, server 0...2000",
        "stories eventType: one of 10, server 1...100",
        "stories playCount: 0...2147483647 = 0, server none",
      ])
  }

  /// The members that clients send and whose limits are not the same, by kind.
  private func differences(_ rules: ServerAPI) -> [String] {
    EntityKind.writable.flatMap { kind -> [String] in
      let name = kind.schema.wirePath
      let others =
        RecordKind(rawValue: name).map {
          rules.fields(of: $0, isPartial: false).filter(\.isOwned)
        } ?? []
      let unknown = others.filter { kind.schema.fieldIndex(wireKey: $0.name) == nil }
      return kind.schema.fields.compactMap { field in
        let own = limit(field)
        let other = others.first { $0.name == field.wireKey }.map { limit($0) } ?? "none"
        return own == other ? nil : "\(name) \(field.wireKey): \(own), server \(other)"
      } + unknown.map { "\(name) \($0.name): none, server \(limit($0))" }
    }
  }

  private func limit(_ field: Field) -> String {
    let shape =
      switch field.shape {
      case .text(let length): "\(length)"
      case .choice(let words): "one of \(words.count)"
      case .lines: "text"
      case .phrases(let count, let length), .list(let count, let length): "\(count) × \(length)"
      case .integer(let range): "\(range)"
      case .number: "number"
      case .boolean: "boolean"
      case .reference(let kind): "id of \(kind.schema.wirePath)"
      }
    return shape + (field.isRequired ? " required" : field.defaultValue.map { " = \($0)" } ?? "")
  }

  private func limit(_ field: RecordField) -> String {
    let shape =
      switch field.type {
      case .text(let length): length.upperBound == .max ? "text" : "\(length)"
      case .oneOf(let words): words == Schema.languages ? "one of \(words.count)" : "\(words)"
      case .language: "a language tag"
      case .texts(let count, let each), .phrases(let count, let each): "\(count) × \(each)"
      case .integer(let range): "\(range)"
      case .flag: "boolean"
      case .reference(let kind): "id of \(kind.rawValue)"
      case .any: "anything"
      }
    return switch field.presence {
    case .required: shape + " required"
    case .defaults(let value): shape + " = " + String(decoding: value.json, as: UTF8.self)
    case .optional, .server, .extra: shape
    }
  }
}
