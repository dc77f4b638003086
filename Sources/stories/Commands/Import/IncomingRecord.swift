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
  /// The parsed source if it is JSON, which can have many records.
  var document: JSONDocument?
  /// The offset of the record in its file, and those of its values by their keys.
  var offset = 0
  var offsets: [String: Int] = [:]
  /// The server's id, by which other records of the command reference it.
  var id: String?

  func position(of key: String?) -> TextPosition {
    var place = offset
    if let key, let index = ref.kind.schema.fieldIndex(key: key) {
      let keys = ref.kind.schema.fields[index].keys
      place = keys.compactMap { offsets[$0] }.first ?? offset
    }
    return document?.position(at: place) ?? TextPosition(offset: place, in: source.bytes)
  }

  /// Returns the errors of the record as it would be written, at their places in the source.
  ///
  /// An error of a member that the source does not state keeps the record's path, without a position.
  /// - Parameter isStated: Whether the source states a member.
  /// - Throws: `Problem` if the members are no record.
  func errors(
    of members: JSONObject, references: ReferenceTable, sidecar: Sidecar? = nil,
    isStated: (String) -> Bool
  ) throws(Problem) -> [Problem] {
    let file = try RecordFile(ref: ref, bytes: JSONValue.object(members).fileBytes())
    let problems = file.problems(references: references, sidecar: sidecar, mayBeDraft: true)
    let root = file.document.root
    return problems.filter { $0.severity == .error }.map { problem in
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
      if case .missing(let field, let isNull, _) = problem.what, !source.isJSON {
        problem.what = .missing(field, isNull: isNull, in: .text)
      }
      return problem
    }
  }
}
