import JSONText
import StoryAPI
import StoryLibrary

/// A record that a file contains, before it is written.
struct IncomingRecord: Sendable {
  var ref: RecordRef
  /// The fields by their keys in a record file, as `Schema.apply` takes them.
  var values: JSONObject
  /// Values for fields that the file does not state, if the record lacks them.
  var defaults = JSONObject()
  var source: ImportSource
  /// The offset of the record in its file, and those of its values by their keys.
  var offset = 0
  var offsets: [String: Int] = [:]
  /// The server's id, by which other records of the command reference it.
  var id: String?

  /// Returns the position of a field's value, or of the record.
  func position(of key: String?) -> TextPosition {
    var place = offset
    if let key, let index = ref.kind.schema.fieldIndex(key: key) {
      let keys = ref.kind.schema.fields[index].keys
      place = keys.compactMap { offsets[$0] }.first ?? offset
    }
    return TextPosition(offset: place, in: source.bytes)
  }

  /// Returns the problems of the record's file at their places in the source.
  ///
  /// A problem of a member that the source does not state keeps the record's path, without a
  /// position.
  /// - Parameters:
  ///   - problems: The problems of `file`.
  ///   - file: The record as it would be written.
  ///   - isStated: Whether the source states a member.
  func placing(
    _ problems: [Problem], of file: RecordFile, isStated: (String) -> Bool
  ) -> [Problem] {
    let root = file.document.root
    return problems.map { problem in
      var problem = problem
      let member = root.members.last { member in
        guard let position = problem.position, position != root.position else { return false }
        return member.key.position <= position
      }
      if let member, !isStated(member.name) {
        problem.position = nil
        return problem
      }
      problem.file = source.shown
      problem.position = position(of: member?.name)
      if problem.code == .missing, !source.isJSON { problem.hint = "add it to the front matter" }
      return problem
    }
  }
}

extension [IncomingRecord] {
  /// Adds the records of a file of answers, named after their titles, the oldest first.
  mutating func add(_ answers: AnswerFile, from source: ImportSource) {
    let ordered = answers.records.sorted {
      ($0.createdAt, $0.id ?? "") < ($1.createdAt, $1.id ?? "")
    }
    for record in ordered {
      let schema = record.kind.schema
      let title = record.fields[schema.titleKey]?.string ?? ""
      let slug = Slug.make(title, fallback: schema.noun)
      append(
        IncomingRecord(
          ref: RecordRef(kind: record.kind, name: slug), values: record.fields, source: source,
          offset: record.offset, offsets: record.offsets, id: record.id))
    }
  }
}
