import JSONText

/// The conflict strategies of a library, which override those of the kinds.
public struct Policies: Sendable, Hashable {
  private var byKind: [EntityKind: Strategy] = [:]
  private var byField: [EntityKind: [String: Strategy]] = [:]

  /// What a word in the policies stands for.
  public enum Part: String, Sendable {
    /// A strategy.
    case strategy
    /// A kind.
    case kind
    /// A field.
    case field
  }

  /// Creates policies without overrides.
  public init() {}

  /// Reads `policies` in `library.json`: for each kind a strategy, or a strategy for each field.
  ///
  /// - Throws: `Problem` for an unknown kind, field or strategy.
  init(_ node: JSONNode?) throws(Problem) {
    guard let node, node.kind != .null else { return }
    func wrong(_ node: JSONNode, _ part: Part, _ word: String, _ known: [String]) -> Problem {
      Problem(
        .policy(part, word, allowed: known), file: LibraryConfiguration.fileName,
        position: node.position)
    }
    func strategy(_ node: JSONNode) throws(Problem) -> Strategy {
      let text = node.string ?? node.value.compactText
      guard let strategy = Strategy(rawValue: text) else {
        throw wrong(node, .strategy, text, Strategy.allCases.map(\.rawValue))
      }
      return strategy
    }
    guard node.kind == .object else {
      throw LibraryConfiguration.wrong(node, "policies")
    }
    for member in node.members {
      guard let kind = EntityKind(rawValue: member.name) else {
        throw wrong(member.key, .kind, member.name, EntityKind.allCases.map(\.rawValue))
      }
      guard member.value.kind == .object else {
        byKind[kind] = try strategy(member.value)
        continue
      }
      for inner in member.value.members {
        guard kind.schema.fieldIndex(key: inner.name) != nil else {
          throw wrong(inner.key, .field, inner.name, kind.schema.keyOrder)
        }
        byField[kind, default: [:]][inner.name] = try strategy(inner.value)
      }
    }
  }

  /// Returns the strategy for a field: the library's for it or its kind, or the field's own.
  public func strategy(for field: Field, of kind: EntityKind) -> Strategy {
    let keyed = field.keys.compactMap { byField[kind]?[$0] }.first
    return keyed ?? byKind[kind] ?? field.strategy
  }

  /// Returns the strategy if a record was deleted locally and changed on the server.
  public func deletedLocally(_ kind: EntityKind) -> Strategy {
    byKind[kind] ?? kind.schema.deletedLocally
  }
}
