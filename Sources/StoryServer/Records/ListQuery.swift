struct ListQuery: Equatable, Sendable {
  var limit = 50
  var offset: Int?
  var cursor: Cursor?
  var updatedAfter: Timestamp?
  var heroID: RecordID?
  var includesDeleted = false
  /// Whether to leave out changes at exactly `updatedAfter`.
  var isAfterExclusive = false
  var order = Order.updated

  enum Order: Sendable {
    /// By (`updatedAt`, `id`): a change moves a record to the end.
    case updated
    case created
    /// Favourites first, then the most used, then the newest.
    case favourites
  }

  static let maximumLimit = 100
}

/// A position in the order of (`updatedAt`, `id`): after the last row of a page.
struct Cursor: Equatable, Sendable {
  var at: Timestamp
  var id: RecordID

  /// The value of `next`. It is opaque to clients.
  var text: String { "\(at.microseconds).\(id.text)" }
}

extension Cursor {
  init?(_ text: String) {
    guard let dot = text.firstIndex(of: "."), let at = Int64(text[..<dot]),
      dot != text.indices.last
    else { return nil }
    self.init(
      at: Timestamp(microseconds: at), id: RecordID(String(text[text.index(after: dot)...])))
  }
}

extension ListQuery {
  /// Parses a list's parameters. Those of missing features are ignored.
  ///
  /// - Throws: `APIFailure` with status 400 naming the invalid parameter.
  init(
    _ parameters: [HTTPTarget.Parameter], of kind: RecordKind, features: Set<ServerFeature>
  ) throws(APIFailure) {
    func value(_ name: String) throws(APIFailure) -> String? {
      let found = parameters.filter { $0.name == name }
      guard found.count < 2 else {
        throw .validation([(name, "occurs more than once")])
      }
      return found.first?.value
    }
    func number(_ name: String, _ range: ClosedRange<Int>) throws(APIFailure) -> Int? {
      guard let text = try value(name) else { return nil }
      guard let number = Int(text), range.contains(number) else {
        let bounds =
          range.upperBound == .max
          ? "\(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
        throw .validation([(name, "must be a whole number, \(bounds)")])
      }
      return number
    }
    limit = try number("limit", 1...Self.maximumLimit) ?? 50
    offset = try number("offset", 0...Int.max)
    if let text = try value("updatedAfter") {
      guard let moment = Timestamp(text) else {
        throw .validation([
          ("updatedAfter", "must be a date and time such as 2026-11-20T10:00:00.000Z")
        ])
      }
      updatedAfter = moment
    }
    if kind == .stories, let id = try value("heroId") { heroID = RecordID(id) }
    if features.contains(.tombstones), let text = try value("includeDeleted") {
      guard text == "true" || text == "false" else {
        throw .validation([("includeDeleted", "must be true or false")])
      }
      includesDeleted = text == "true"
    }
    if features.contains(.cursor), let text = try value("cursor") {
      guard let place = Cursor(text) else {
        throw .validation([("cursor", "must be the next of a page")])
      }
      guard offset == nil else {
        throw .validation([("offset", "cannot be used together with a cursor")])
      }
      cursor = place
    }
  }
}
