import JSONText
public import StoryLibrary

extension LibraryConfiguration.Identity {
  /// The identity of the embedded server, which has a single account.
  static let embedded = Self(server: "embedded", account: "")
}

extension Library {
  /// Returns the reason to stop if the sidecars belong to another server or account, or `nil`.
  public func otherOwner(
    than now: LibraryConfiguration.Identity, _ scan: Scan
  ) -> SafetyStop? {
    guard let has = owner(of: scan) else { return nil }
    if has.server == now.server, has.account == now.account || now == .embedded { return nil }
    return .otherServer(has: has, now: now)
  }

  /// Returns the reason to stop if only the server is known, before it is asked for the account.
  public func otherOwner(than server: String, _ scan: Scan) -> SafetyStop? {
    guard let has = owner(of: scan), has.server != server else { return nil }
    return .otherServer(has: has, now: .init(server: server, account: ""))
  }

  /// Returns the server and account that assigned the ids in the sidecars, or `nil` if no sidecar
  /// has an id yet.
  ///
  /// `library.json` records it, except for the embedded server. If nothing is recorded but the state
  /// of the last sync names a server, `library.json` was lost, and that server is returned.
  public func owner(of scan: Scan) -> LibraryConfiguration.Identity? {
    if let synced = configuration.synced { return synced }
    guard scan.entries.contains(where: { !$0.namedIDs.isEmpty }) else { return nil }
    return PullState(self)?.identity ?? .embedded
  }

  /// Records the first server that the library is synced with.
  ///
  /// - Throws: `FileError`, `Problem`.
  func rememberOwner(_ identity: LibraryConfiguration.Identity) throws {
    guard configuration.synced == nil,
      identity.server != LibraryConfiguration.Identity.embedded.server
    else { return }
    let value: JSONValue = [
      "server": .string(identity.server), "account": .string(identity.account),
    ]
    _ = try saving(configuration.setting("synced", to: value))
  }
}
