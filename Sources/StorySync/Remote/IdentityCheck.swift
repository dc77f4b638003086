import JSONText
public import StoryLibrary

/// Checks that a library is synced with the server and account that its ids belong to.
public struct IdentityCheck: Sendable {
  let library: Library

  /// Creates a check of a library.
  public init(library: Library) { self.library = library }

  /// The identity of the embedded server, which has a single account.
  static let embedded = LibraryConfiguration.Identity(server: "embedded", account: "")

  /// Returns the reason to stop if the sidecars belong to another identity, or `nil`.
  public func stop(_ scan: Scan, _ now: LibraryConfiguration.Identity) -> SafetyStop? {
    guard let has = owner(of: scan) else { return nil }
    if has.server == now.server, has.account == now.account || now == Self.embedded { return nil }
    return .otherServer(has: has, now: now)
  }

  /// Returns the reason to stop if only the server is known, before it is asked for the account.
  public func stop(_ scan: Scan, server: String) -> SafetyStop? {
    guard let has = owner(of: scan), has.server != server else { return nil }
    return .otherServer(has: has, now: .init(server: server, account: ""))
  }

  /// Returns the server and account that assigned the ids in the sidecars, or `nil` if no sidecar
  /// has an id yet.
  ///
  /// `library.json` records it, except for the embedded server. If nothing is recorded but the state
  /// of the last sync names a server, `library.json` was lost, and that server is returned.
  public func owner(of scan: Scan) -> LibraryConfiguration.Identity? {
    if let synced = library.configuration.synced { return synced }
    guard scan.entries.contains(where: { !$0.namedIDs.isEmpty }) else { return nil }
    return PullState(library)?.identity ?? Self.embedded
  }

  /// Records the first server that the library is synced with.
  ///
  /// - Throws: `FileError`, `Problem`.
  func remember(_ identity: LibraryConfiguration.Identity) throws {
    guard library.configuration.synced == nil, identity.server != Self.embedded.server else {
      return
    }
    let value: JSONValue = [
      "server": .string(identity.server), "account": .string(identity.account),
    ]
    _ = try library.saving(library.configuration.setting("synced", to: value))
  }
}
