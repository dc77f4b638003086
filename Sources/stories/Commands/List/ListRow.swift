import JSONText
import StoryLibrary

struct ListRow: MemberEncodable {
  let entry: ScanEntry
  let content: RecordContent?
  let made: ServerPart

  var members: Members {
    let fields = entry.ref.kind.schema.fields.compactMap { field in
      field.key == "title" ? nil : content.map { (name: field.key, value: $0[field]) }
    }
    return [
      "ref": entry.ref, "kind": entry.ref.kind, "title": content?.title, "state": entry.state,
      "code": StatusCode(entry),
    ] + Members(fields.filter { !$0.value.isNull }) + made.members
  }

  /// How often and when a story was read: `3× 2026-11-21`.
  var readings: String {
    let count = content?["playCount"].integer ?? 0
    guard count > 0 else { return "" }
    return "\(count)×" + (ServerPart.day(made.readAt).map { " \($0)" } ?? "")
  }

  var detail: Text {
    guard let content else {
      if entry.state == .notCheckedOut { return Text("not checked out", .faint) }
      return entry.state == .missing
        ? Text("missing locally", .faint)
        : Text(entry.problems.first?.message ?? "unreadable", .error)
    }
    var parts: [String] = []
    switch entry.ref.kind {
    case .heroes:
      if let age = content["age"].integer { parts.append("age \(age)") }
      parts.append(contentsOf: (content["traits"].array ?? []).prefix(3).compactMap(\.string))
    case .stories:
      parts.append(content["language"].string ?? "")
      parts.append(content["hero"].string ?? content["heroId"].string ?? "")
      if content["isFavorite"].bool == true { parts.append("favourite") }
    case .events:
      parts.append(content["category"].string ?? "")
      parts.append(content["tone"].string ?? "")
    case .illustrations: parts.append(content["status"].string ?? "")
    }
    return Text(parts.filter { !$0.isEmpty }.joined(separator: ", "), .faint)
  }
}

/// The order of a list within each kind.
enum ListOrder: String, ChoiceArgument {
  case name
  case title
  /// When the server got the record, newest first.
  case made
  /// When it was changed last on the server, newest first.
  case changed
  /// When it was read last, newest first.
  case read
  /// How often it was read, most first.
  case readings

  /// Returns the rows in this order; those without a value come last, or first if it is reversed.
  func sorted(_ rows: [ListRow], isReversed: Bool) -> [ListRow] {
    var ordered = rows
    switch self {
    case .name: break
    case .title:
      ordered = sorted(rows, by: { Slug.collisionKey($0.content?.title ?? "") }, <)
    case .made: ordered = sorted(rows, by: { Self.time($0.made.madeAt) }, >)
    case .changed: ordered = sorted(rows, by: { Self.time($0.made.changedAt) }, >)
    case .read: ordered = sorted(rows, by: { Self.time($0.made.readAt) }, >)
    case .readings:
      ordered = sorted(rows, by: { $0.content?["playCount"].integer ?? 0 }, >)
    }
    if isReversed { ordered.reverse() }
    // Kinds stay in their order.
    return EntityKind.allCases.flatMap { kind in ordered.filter { $0.entry.ref.kind == kind } }
  }

  private func sorted<Key: Comparable>(
    _ rows: [ListRow], by key: (ListRow) -> Key, _ isBefore: (Key, Key) -> Bool
  ) -> [ListRow] {
    rows.map { (row: $0, key: key($0)) }.sorted { isBefore($0.key, $1.key) }.map(\.row)
  }

  private static func time(_ date: String?) -> Int64 {
    date.flatMap { UTCTime.read($0)?.seconds } ?? .min
  }
}
