import Synchronization

/// Which names and ids the records of a library have, for the kinds that others name.
public struct ReferenceTable: Sendable {
  /// What a name in a record stands for.
  public enum Meaning: Sendable, Equatable {
    /// The record with this id on the server.
    case id(String)
    /// A record of this library that the server does not have yet.
    case pending
    /// A record of this library that has been on the server, but its sidecar does not say as which.
    case unidentified
    /// Nothing of that name is here.
    case unknown
  }

  private var ids: [RecordRef: String?] = [:]
  private var names: [EntityKind: [String: String]] = [:]
  private var aliases: [RecordRef: RecordRef] = [:]
  private var unidentified: Set<RecordRef> = []
  private var suggestions = Suggestions()

  /// The names of each kind, prepared when the first hint is asked for.
  private final class Suggestions: Sendable {
    private let names = Mutex<[EntityKind: NearestNames]>([:])

    var isEmpty: Bool { names.withLock { $0.isEmpty } }

    func names(of kind: EntityKind, _ make: () -> NearestNames) -> NearestNames {
      names.withLock { names in
        if let known = names[kind] { return known }
        let made = make()
        names[kind] = made
        return made
      }
    }
  }

  /// A table without records.
  public init() {}

  /// The kinds that some field of some kind names.
  public static let kinds: Set<EntityKind> = Set(
    EntityKind.allCases.flatMap { $0.schema.fields.compactMap(\.referencedKind) })

  /// Notes a record; kinds that nothing names are left out.
  ///
  /// - Parameters:
  ///   - ref: its name.
  ///   - id: its id on the server; `nil` where it has none, or none that is known.
  ///   - isUnidentified: whether it has an id that is not known.
  public mutating func add(_ ref: RecordRef, id: String?, isUnidentified: Bool = false) {
    guard Self.kinds.contains(ref.kind) else { return }
    remove(ref)
    ids[ref] = .some(id)
    if id == nil, isUnidentified { unidentified.insert(ref) }
    if let id { names[ref.kind, default: [:]][id] = ref.name }
  }

  /// Notes a name that a record had before it was renamed; it goes on standing for that record until
  /// another one takes it.
  public mutating func addAlias(_ old: RecordRef, for ref: RecordRef) {
    guard Self.kinds.contains(ref.kind), old != ref else { return }
    aliases[old] = ref
  }

  /// Forgets a record.
  public mutating func remove(_ ref: RecordRef) {
    unidentified.remove(ref)
    forgetSuggestions()
    guard case .some(.some(let id)) = ids.removeValue(forKey: ref) else { return }
    // Where two records have one id, the name may be the other one's.
    if names[ref.kind]?[id] == ref.name { names[ref.kind]?[id] = nil }
  }

  /// Whether a record of this library has that name now.
  public func contains(_ ref: RecordRef) -> Bool { ids[ref] != nil }

  /// The id of the record of this library that has that name now; `nil` also where its id is not
  /// known.
  func id(of ref: RecordRef) -> String? { ids[ref] ?? nil }

  /// Returns the meaning of `ref` if a record has exactly that name and its id, or its lack of one, is
  /// known; otherwise `nil`.
  func plainMeaning(of ref: RecordRef) -> Meaning? {
    guard let id = ids[ref] else { return nil }
    if let id { return .id(id) }
    return unidentified.contains(ref) ? nil : .pending
  }

  /// What `ref` stands for.
  public func meaning(of ref: RecordRef) -> Meaning {
    let holder = ids[ref] == nil ? aliases[ref] ?? ref : ref
    return switch ids[holder] {
    case .some(.some(let id)): .id(id)
    case .some(.none): unidentified.contains(holder) ? .unidentified : .pending
    case .none: .unknown
    }
  }

  /// The name of the record with `id`; `nil` where none here has it.
  public func name(of kind: EntityKind, id: String) -> String? { names[kind]?[id] }

  private mutating func forgetSuggestions() {
    if !suggestions.isEmpty { suggestions = Suggestions() }
  }

  /// All names of a kind; in no particular order.
  public func names(of kind: EntityKind) -> [String] {
    ids.keys.filter { $0.kind == kind }.map(\.name)
  }

  /// The name of a record of a kind that is nearest to `word`; `nil` if none is near.
  func nearest(to word: String, of kind: EntityKind) -> String? {
    suggestions.names(of: kind) {
      NearestNames(names(of: kind))
    }
    .match(word)
  }
}
