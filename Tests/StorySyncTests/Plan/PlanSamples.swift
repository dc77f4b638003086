import JSONText
import StoryAPI
import StoryLibrary
import Testing

@testable import StorySync

/// Records for plans without files.
enum PlanSamples {
  static func hero(_ name: String, _ more: [String: JSONValue] = [:]) -> JSONObject {
    var object: JSONObject = ["name": .string(name), "age": 7, "traits": ["x"]]
    for (key, value) in more.sorted(by: { $0.key < $1.key }) { object[key] = value }
    return object
  }

  static func story(_ title: String, hero: String) -> JSONObject {
    ["title": .string(title), "heroId": .string(hero), "content": "once"]
  }

  static func text(_ object: JSONObject) -> String { JSONValue.object(object).compactText }

  static func sidecar(
    _ kind: EntityKind, _ id: String, _ base: JSONObject, isDeleteStated: Bool = false
  ) -> Sidecar {
    Sidecar(
      id: id, updatedAt: "2026-01-01T00:00:00.000Z", base: FieldValues(kind: kind, wire: base),
      isDeleteStated: isDeleteStated)
  }

  static func remote(
    _ kind: EntityKind, _ id: String, _ object: JSONObject,
    createdAt: String = "2026-01-01T00:00:00Z",
    updatedAt: String = "2026-02-01T00:00:00.000Z"
  ) -> RemoteRecord {
    RemoteRecord(
      kind: kind, id: id, updatedAt: updatedAt, fields: FieldValues(kind: kind, wire: object),
      server: ["createdAt": .string(createdAt)])
  }
}

extension Plan {
  /// Its steps, each as action and record.
  var outline: [String] { steps.map { "\($0.action) \($0.ref)" } }
}
