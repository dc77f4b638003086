import JSONText
import StoryLibrary

/// The record that a matrix is about: two of its fields, called "same" and "other" in the table.
///
/// A table writes a record as the values of the two, `l/b`: `b` for the base, `l` for a local edit, `s`
/// for an edit on the server.
struct MatrixSample: Sendable {
  let kind: EntityKind

  static let id = "id-1"
  static let heroID = "hero-1"
  static let version = "2026-01-01T00:00:00.000Z"

  /// The two fields.
  var keys: [String] {
    switch kind {
    case .heroes: ["appearance", "hairColor"]
    case .events: ["promptSeed", "tone"]
    default: ["content", "eventType"]
    }
  }

  /// What the values are in a record.
  static let values = ["b": "ordinary", "l": "mine", "s": "theirs"]
  /// The same of an event's type, which has to be one of those that there are.
  static let types = ["b": "bedtime", "l": "birthday", "s": "weekend"]

  func value(_ key: String, _ name: String) -> JSONValue {
    .string((key == "eventType" ? Self.types : Self.values)[name] ?? name)
  }

  func name(_ key: String, _ value: JSONValue?) -> String {
    guard let text = value?.string ?? value?.array?.first?.string else { return "none" }
    return (key == "eventType" ? Self.types : Self.values).first { $0.value == text }?.key ?? text
  }

  /// The record as the table writes it.
  func shown(_ record: JSONValue?) -> String {
    keys.map { name($0, record?[$0]) }.joined(separator: "/")
  }

  /// The person's part in wire form.
  func wire(_ same: String = "b", _ other: String = "b") -> JSONObject {
    var object: JSONObject =
      switch kind {
      case .heroes: ["name": "X", "age": 7, "traits": ["x"]]
      case .events: ["title": "X"]
      default: ["title": "X", "heroId": .string(Self.heroID)]
      }
    for (key, name) in zip(keys, [same, other]) { object[key] = value(key, name) }
    return object
  }

  /// The record's file.
  func text(_ same: String = "b", _ other: String = "b") -> String {
    var object = wire(same, other)
    if object["heroId"] != nil {
      object["heroId"] = nil
      object["hero"] = "luna"
    }
    return String(decoding: JSONValue.object(object).fileBytes(), as: UTF8.self)
  }

  static let hero: JSONObject = ["name": "Luna", "age": 7, "traits": ["brave"]]

  /// A sidecar of what the server had at the last sync.
  static func sidecar(_ kind: EntityKind, _ id: String, _ wire: JSONObject) -> String {
    let sidecar = Sidecar(
      id: id, updatedAt: version, base: FieldValues(kind: kind, wire: wire),
      refs: wire["heroId"] == nil ? JSONObject() : ["hero": "luna"])
    return String(decoding: sidecar.fileBytes, as: UTF8.self)
  }
}
