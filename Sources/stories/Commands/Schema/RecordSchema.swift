import JSONText
import StoryLibrary

/// The JSON Schema (draft 2020-12) of a kind's record files, for editors and other programs.
///
/// It says what `stories check` says, as far as a schema can: not whether a referenced record
/// exists, and not that the server counts characters in UTF-16 units. Other members are allowed: they
/// are a person's own notes.
struct RecordSchema: Sendable {
  let kind: EntityKind

  /// Tells a schema that this program wrote from a file of the same name.
  static let comment = "Written by `stories schema`, which replaces this file."

  var json: JSONObject {
    let schema = kind.schema
    var properties: JSONObject = [
      "$schema": ["description": "The schema of this file, for editors. It is never sent."]
    ]
    for field in schema.fields {
      for key in field.keys { properties[key] = .object(property(field, key)) }
    }
    let required = schema.fields.filter {
      $0.isRequired && $0.shape != .lines && $0.keys.count == 1
    }
    var json: JSONObject = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$comment": .string(Self.comment),
      "title": .string(schema.noun.prefix(1).uppercased() + schema.noun.dropFirst()),
      "description": .string(FieldWords.description(of: kind)),
      "type": "object",
      "required": .array(required.map { .string($0.key) }),
      "properties": .object(properties),
    ]
    let rules = schema.fields.filter { $0.keys.count > 1 }.map(onlyOne)
    if !rules.isEmpty { json["allOf"] = .array(rules) }
    return json
  }

  var bytes: [UInt8] { JSONValue.object(json).fileBytes() }

  /// The rule for a field with two keys: one of them is set, or for an optional field at most one.
  private func onlyOne(_ field: Field) -> JSONValue {
    func isSet(_ keys: [String]) -> JSONValue {
      [
        "required": .array(keys.map { .string($0) }),
        "properties": .object(
          JSONObject(keys.map { (key: $0, value: ["type": "string"] as JSONValue) })),
      ]
    }
    guard field.isRequired else { return ["not": isSet(field.keys)] }
    return ["oneOf": .array(field.keys.map { isSet([$0]) })]
  }

  private func property(_ field: Field, _ key: String) -> JSONObject {
    let words = FieldWords.words(of: field, key, in: kind)
    var json: JSONObject = [
      "title": .string(words.title ?? RecordPage.label(key)),
      "description": .string(words.description),
    ]
    var types: [JSONValue]
    switch field.shape {
    case .text(let length):
      types = ["string"]
      Self.limit(&json, "Length", length)
    case .choice(let choices):
      types = ["string"]
      json["enum"] = .array(choices.map { .string($0) } + (field.isRequired ? [] : [.null]))
    case .lines:
      types = ["array", "string"]
      json["items"] = ["type": "string"]
    case .phrases(let count, let length):
      types = ["string", "array"]
      Self.limit(&json, "Length", length)
      Self.limit(&json, "Items", count)
      json["items"] = Self.element(length)
    case .integer(let range):
      types = ["integer"]
      json["minimum"] = .number(range.lowerBound)
      json["maximum"] = .number(range.upperBound)
    case .number: types = ["number"]
    case .boolean: types = ["boolean"]
    case .list(let count, let length):
      types = ["array"]
      Self.limit(&json, "Items", count)
      json["items"] = Self.element(length)
    case .reference:
      types = ["string"]
      json["minLength"] = 1
    }
    // A new story may have no text yet, and one of two keys may be null.
    if !field.isRequired || field.shape == .lines || field.keys.count > 1 { types.append("null") }
    json["type"] = types.count == 1 ? types[0] : .array(types)
    if let value = field.defaultValue { json["default"] = value }
    if !words.examples.isEmpty { json["examples"] = .array(words.examples) }
    return json
  }

  private static func element(_ length: ClosedRange<Int>) -> JSONValue {
    var json: JSONObject = ["type": "string"]
    limit(&json, "Length", length)
    return .object(json)
  }

  private static func limit(_ json: inout JSONObject, _ noun: String, _ range: ClosedRange<Int>) {
    if range.lowerBound > 0 { json["min\(noun)"] = .number(range.lowerBound) }
    // A text of nothing but white space counts as empty.
    if range.lowerBound > 0, noun == "Length" { json["pattern"] = #"\S"# }
    json["max\(noun)"] = .number(range.upperBound)
  }
}
