import JSONText
import StoryLibrary
import StorySync

/// Values for a new record that are given in general form: fields by name, and a record to copy.
struct RecordDraftSource: Sendable {
  /// Words such as `hairColor=red`.
  var fields: [String] = []
  /// The record to copy, or `nil`.
  var copied: String?
  /// The command's own options that were given, by the keys of their fields.
  var options: [String: String] = [:]

  /// Returns the members for a file, without the title.
  ///
  /// What a server counts is not copied.
  /// - Throws: `UsageError` for a field that an option gives too; `CommandError`, also if the record to
  ///   copy cannot be found; `Problem` if it cannot be read.
  func members(of kind: EntityKind, _ writer: RecordDraftWriter) throws -> JSONObject {
    var members = JSONObject()
    if let copied {
      members = try writer.members(of: writer.resolver(kind).record(copied))
      members[kind.schema.titleKey] = nil
      for field in kind.schema.fields where field.merge == .counter { members[field.key] = nil }
    }
    var stated: Set<String> = []
    for word in fields {
      guard let equals = word.firstIndex(of: "=") else {
        throw CommandError.badField(word, kind, nearest: nil)
      }
      let key = String(word[..<equals])
      guard let index = kind.schema.fieldIndex(key: key), key != kind.schema.titleKey else {
        throw CommandError.badField(
          key, kind, nearest: Nearest.match(key, among: kind.schema.keyOrder))
      }
      let field = kind.schema.fields[index]
      if let option = options[field.key] {
        throw UsageError(.excluded(option, by: "--field \(key)"))
      }
      for other in field.keys where other != key { members[other] = nil }
      // The first word replaces what was copied; the next ones of a list add to it.
      let old = stated.insert(key).inserted ? nil : members[key]
      members[key] = try value(
        String(word[word.index(after: equals)...]), of: field, key, after: old, writer)
    }
    return members
  }

  private func value(
    _ text: String, of field: Field, _ key: String, after old: JSONValue?,
    _ writer: RecordDraftWriter
  ) throws -> JSONValue? {
    guard !text.isEmpty else { return nil }
    switch field.shape {
    case .text, .choice: return .string(text)
    case .integer, .number:
      // A word is refused with the record, as in a file.
      return JSONNumber(literal: text).map { .number($0) } ?? .string(text)
    case .boolean: return text == "true" ? true : text == "false" ? false : .string(text)
    case .list: return .array((old?.array ?? []) + [.string(text)])
    case .phrases:
      guard let old else { return .string(text) }
      return .array((old.array ?? [old]) + [.string(text)])
    case .lines:
      let lines = RecordFile.lines(of: text).map { JSONValue.string($0) }
      return .array((old?.array ?? []) + lines)
    case .reference(let kind):
      return .string(key == field.key ? try writer.resolver(kind).record(text).name : text)
    }
  }
}
