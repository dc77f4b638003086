import JSONText
import Synchronization

/// The names and ids of the records that others can reference.
public struct ReferenceTable: Sendable {
  /// The meaning of a name in a reference.
  public enum Meaning: Sendable, Equatable {
    /// The record with this id on the server.
    case id(String)
    /// A local record that the server does not have yet.
    case pending
    /// A local record that is on the server, but with an unknown id because of its sidecar.
    case unidentified
    /// No record has this name.
    case unknown
  }

  private var ids: [RecordRef: String?] = [:]
  private var names: [EntityKind: [String: String]] = [:]
  private var aliases: [RecordRef: RecordRef] = [:]
  private var unidentified: Set<RecordRef> = []
  private var spelled = Prepared<NearestNames>()
  private var titled = Prepared<[String: [String]]>()
  /// The library from whose files titles are read, for hints only.
  var library: Library?

  /// The names of each kind, in a form that is prepared when it is first needed for a hint.
  private final class Prepared<Form: Sendable>: Sendable {
    private let forms = Mutex<[EntityKind: Form]>([:])

    var isEmpty: Bool { forms.withLock { $0.isEmpty } }

    func form(of kind: EntityKind, _ make: () -> Form) -> Form {
      forms.withLock { forms in
        if let known = forms[kind] { return known }
        let made = make()
        forms[kind] = made
        return made
      }
    }
  }

  /// Creates an empty table.
  public init() {}

  /// The kinds that can be referenced.
  public static let kinds: Set<EntityKind> = Set(
    EntityKind.allCases.flatMap { $0.schema.references.compactMap(\.referencedKind) })

  /// Adds a record, unless its kind cannot be referenced.
  ///
  /// - Parameters:
  ///   - ref: Its name.
  ///   - id: Its id on the server, or `nil` if it has none or if it is unknown.
  ///   - isUnidentified: Whether it has an unknown id.
  public mutating func add(_ ref: RecordRef, id: String?, isUnidentified: Bool = false) {
    guard Self.kinds.contains(ref.kind) else { return }
    remove(ref)
    ids[ref] = .some(id)
    if id == nil, isUnidentified { unidentified.insert(ref) }
    if let id { names[ref.kind, default: [:]][id] = ref.name }
  }

  /// Adds an id that a record had before it was deleted and created again: a reference with that id
  /// is written as the record's name.
  package mutating func add(_ ref: RecordRef, formerID id: String) {
    guard Self.kinds.contains(ref.kind), names[ref.kind]?[id] == nil else { return }
    names[ref.kind, default: [:]][id] = ref.name
  }

  /// Adds the ids by which a sidecar references records of this library that have other ids now: they were
  /// deleted and created again since.
  package mutating func add(formerIDsIn sidecar: Sidecar) {
    for field in sidecar.base.kind.schema.references {
      guard let kind = field.referencedKind, let id = sidecar.base[field]?.string,
        let name = sidecar.refs[field.key]?.string
      else { continue }
      let ref = RecordRef(kind: kind, name: name)
      if contains(ref) { add(ref, formerID: id) }
    }
  }

  /// Adds the former name of a renamed record, which refers to it until another record has it.
  mutating func addAlias(_ old: RecordRef, for ref: RecordRef) {
    guard Self.kinds.contains(ref.kind), old != ref else { return }
    aliases[old] = ref
  }

  /// Removes a record.
  public mutating func remove(_ ref: RecordRef) {
    unidentified.remove(ref)
    // Both, so that a copy of the table shares neither.
    if !spelled.isEmpty || !titled.isEmpty { (spelled, titled) = (Prepared(), Prepared()) }
    guard case .some(.some(let id)) = ids.removeValue(forKey: ref) else { return }
    // If two records share an id, the name may belong to the other.
    if names[ref.kind]?[id] == ref.name { names[ref.kind]?[id] = nil }
  }

  /// Returns whether a local record has that name now.
  public func contains(_ ref: RecordRef) -> Bool { ids[ref] != nil }

  /// Returns the id of the local record that has that name now, or `nil` if it is unknown.
  func id(of ref: RecordRef) -> String? { ids[ref] ?? nil }

  /// Returns the meaning of `ref`, or `nil` unless it is the current name of a record.
  func currentMeaning(of ref: RecordRef) -> Meaning? {
    guard let id = ids[ref] else { return nil }
    if let id { return .id(id) }
    return unidentified.contains(ref) ? .unidentified : .pending
  }

  /// Returns the meaning of `ref`.
  public func meaning(of ref: RecordRef) -> Meaning {
    currentMeaning(of: ref) ?? aliases[ref].flatMap(currentMeaning) ?? .unknown
  }

  /// Returns the name of the local record with an id, or `nil`.
  public func name(of kind: EntityKind, id: String) -> String? { names[kind]?[id] }

  /// Returns all names of a kind in no particular order.
  public func names(of kind: EntityKind) -> [String] {
    ids.keys.filter { $0.kind == kind }.map(\.name)
  }

  /// Returns the names of the records with a title, ignoring case. Reads all files of the kind when
  /// it is first needed.
  func names(titled title: String, of kind: EntityKind) -> [String] {
    let byTitle = titled.form(of: kind) {
      names(of: kind).sorted().reduce(into: [:]) { titles, name in
        let file = try? library?.file(RecordRef(kind: kind, name: name))
        guard let title = file?.document.root[kind.schema.titleKey]?.string else { return }
        titles[title.lowercased(), default: []].append(name)
      }
    }
    return byTitle[title.lowercased()] ?? []
  }

  func nearest(to word: String, of kind: EntityKind) -> String? {
    spelled.form(of: kind) { NearestNames(names(of: kind)) }.match(word)
  }
}
