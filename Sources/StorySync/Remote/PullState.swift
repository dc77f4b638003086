import JSONText
public import StoryAPI
public import StoryLibrary

/// How far this machine has read the server's changes: `.stories/pulls.json`.
///
/// This is an optimization: without it the next listing is a full one. It is valid only for the
/// sidecars that it was written with, so a checkout, a merge or another clone invalidates it.
package struct PullState: Sendable, Equatable {
  struct Mark: Sendable, Equatable {
    /// The server time before which all changes were taken.
    var date: ServerDate
    /// The tag of the list, with which a server says that nothing changed since; `nil` where it gave
    /// none, or where a change that is older could still appear.
    var tag: String?
  }

  var identity: LibraryConfiguration.Identity
  /// The digest of the sidecars that the marks belong to, see `Scan.pulledDigest`.
  package var sidecarDigest: String
  var marks: [EntityKind: Mark] = [:]
  /// When the last complete pull ended, by this machine's clock, or `nil` before the first.
  var pulledAt: ServerDate?

  /// How far back before the mark a list starts, unless it shows changes in their order. No write takes a
  /// server longer.
  static let overlap = Duration.seconds(300)
}

extension PullState {
  private static func path(_ library: Library) -> ConfinedPath { library.statePath("pulls.json") }

  /// Reads the state of a library; fails if there is none or it cannot be read.
  package init?(_ library: Library) {
    guard let bytes = try? FileSystem.read(Self.path(library)),
      let value = try? JSONValue(parsing: bytes), value["version"]?.integer == 1,
      let server = value["server"]?.string, let account = value["account"]?.string,
      let digest = value["sidecars"]?.string
    else { return nil }
    self.init(identity: .init(server: server, account: account), sidecarDigest: digest)
    pulledAt = value["pulledAt"]?.string.flatMap { ServerDate($0) }
    for member in value["marks"]?.object?.members ?? [] {
      let text = member.value.string ?? member.value["date"]?.string
      if let kind = EntityKind(rawValue: member.key), let date = text.flatMap({ ServerDate($0) }) {
        marks[kind] = Mark(date: date, tag: member.value["tag"]?.string)
      }
    }
  }

  /// Writes the state if it differs from the stored one.
  package func save(_ library: Library) throws(FileError) {
    guard PullState(library) != self else { return }
    let marks = marks.sorted { $0.key < $1.key }.map {
      (key: $0.key.rawValue, value: $0.value.json)
    }
    var object: JSONObject = [
      "version": 1, "server": .string(identity.server), "account": .string(identity.account),
      "sidecars": .string(sidecarDigest), "marks": .object(JSONObject(marks)),
    ]
    if let pulledAt { object["pulledAt"] = .string(pulledAt.text) }
    try AtomicFile.writePrivate(JSONValue.object(object).fileBytes(), to: Self.path(library))
  }

  static func forget(_ library: Library) throws(FileError) {
    try FileSystem.remove(path(library))
  }
}

extension PullState.Mark {
  /// The date alone, or `{"date","tag"}`.
  fileprivate var json: JSONValue {
    guard let tag else { return .string(date.text) }
    return ["date": .string(date.text), "tag": .string(tag)]
  }
}

extension Library {
  /// When the last complete pull of this library ended, by this machine's clock. Complete means
  /// that all of the server's changes were taken. `nil` before the first, after `.stories/` was
  /// deleted, and after the library was moved to another server.
  public var pulledAt: ServerDate? {
    guard let state = PullState(self) else { return nil }
    if let synced = configuration.synced, synced != state.identity { return nil }
    return state.pulledAt
  }
}
