import JSONText

/// A kind of record, described by its ``Schema``.
///
/// The order of the cases is the order in which records are created on a server, so that referenced
/// records exist first. Deletes are in reverse order.
public enum EntityKind: String, Sendable, Hashable, CaseIterable, Comparable {
  /// The heroes of stories.
  case heroes
  /// Custom events that a story can be about.
  case events
  /// Stories.
  case stories
  /// Pictures of a story's scenes, made by the server and read-only.
  case illustrations

  /// The kinds whose records users write and sync.
  public static let writable: [EntityKind] = allCases.filter { !$0.schema.isReadOnly }

  /// The folder in the library's root that contains this kind's records.
  public var folder: String { rawValue }

  /// The properties of this kind.
  public var schema: Schema {
    switch self {
    case .heroes: .heroes
    case .events: .events
    case .stories: .stories
    case .illustrations: .illustrations
    }
  }

  /// Creates a kind from its folder (`heroes`) or the noun for one record (`hero`).
  public init?(named name: String) {
    guard let kind = Self.allCases.first(where: { $0.rawValue == name || $0.schema.noun == name })
    else { return nil }
    self = kind
  }

  /// Orders kinds by creation on a server.
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

extension EntityKind {
  /// Creates the only kind of which a record has all required fields, apart from long text; `nil` if
  /// there is not exactly one.
  init?(likelyFor root: JSONNode) {
    guard root.kind == .object else { return nil }
    let kinds = EntityKind.writable.filter { kind in
      kind.schema.fields.allSatisfy { field in
        !field.isRequired || field.shape == .lines
          || field.keys.contains { (root[$0]?.kind ?? .null) != .null }
      }
    }
    guard kinds.count == 1 else { return nil }
    self = kinds[0]
  }

  /// Creates the kind of a file that is in no kind's folder.
  ///
  /// Other programs' files may have a title and a hero too, so a story must have more.
  init?(likelyForStray root: JSONNode) {
    self.init(likelyFor: root)
    let more = ["language", "content"]
    guard self != .stories || more.contains(where: { (root[$0]?.kind ?? .null) != .null }) else {
      return nil
    }
  }
}
