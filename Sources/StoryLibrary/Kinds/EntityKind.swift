/// A kind of record: everything that is known of it stands in its ``Schema``.
///
/// The order of the cases is the order in which records are created on a server, so that what a
/// record names is there before it; deletes go the other way.
public enum EntityKind: String, Sendable, Hashable, CaseIterable, Comparable {
  /// The heroes of stories.
  case heroes
  /// Events that people made up, which a story can be about.
  case events
  /// Stories.
  case stories
  /// Pictures of a story's scenes; made by the server, read-only here.
  case illustrations

  /// The kinds whose records people write and sync.
  public static let writable: [EntityKind] = allCases.filter { !$0.schema.isReadOnly }

  /// The folder under the library's root that holds this kind's records.
  public var folder: String { rawValue }

  /// The kind's row in the table of kinds.
  public var schema: Schema {
    switch self {
    case .heroes: .heroes
    case .events: .events
    case .stories: .stories
    case .illustrations: .illustrations
    }
  }

  /// The kind of that name: the folder (`heroes`) or one record's word (`hero`).
  public init?(named name: String) {
    guard let kind = Self.allCases.first(where: { $0.rawValue == name || $0.schema.noun == name })
    else { return nil }
    self = kind
  }

  /// Orders kinds as they are created on a server.
  public static func < (lhs: EntityKind, rhs: EntityKind) -> Bool {
    lhs.order < rhs.order
  }

  private var order: Int {
    switch self {
    case .heroes: 0
    case .events: 1
    case .stories: 2
    case .illustrations: 3
    }
  }
}
