import JSONText
public import StoryLibrary

/// A library's ids belong to one server and account; another one would make them meaningless.
public struct IdentityCheck: Sendable {
  let library: Library

  /// A check of a library.
  public init(library: Library) { self.library = library }

  /// The name of the embedded server, which has one account and no life of its own.
  static let embedded = LibraryConfiguration.Identity(server: "embedded", account: "")

  /// The reason to stop where the sidecars belong to somebody else; `nil` where they do not.
  ///
  /// Sidecars without a note of whom they belong to are the embedded server's, which leaves none.
  public func stop(_ scan: Scan, _ now: LibraryConfiguration.Identity) -> SafetyStop? {
    let hasSidecars = scan.entries.contains { !$0.namedIDs.isEmpty }
    let noted = library.configuration.synced
    guard let has = noted ?? (hasSidecars ? Self.embedded : nil) else { return nil }
    if has.server == now.server, has.account == now.account || now == Self.embedded { return nil }
    return .otherServer(has: has, now: now)
  }

  /// The same where only the server is known, before it is asked whose session it is.
  public func stop(_ scan: Scan, server: String) -> SafetyStop? {
    let hasSidecars = scan.entries.contains { !$0.namedIDs.isEmpty }
    guard let has = library.configuration.synced ?? (hasSidecars ? Self.embedded : nil),
      has.server != server
    else { return nil }
    return .otherServer(has: has, now: .init(server: server, account: ""))
  }

  /// Notes the first server that the library is synced with.
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
