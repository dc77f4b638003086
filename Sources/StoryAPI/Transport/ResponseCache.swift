public import JSONText
public import StoryLibrary

/// A cache of a server's responses for when it cannot be reached, and for conditional requests.
///
/// Responses are in a folder for each account, one atomically written file each, with mode 0600. Names
/// are digests; a file contains its key, which is checked when it is read. A response is only returned
/// to its own account. Damaged files and errors are ignored, because a cache may lose anything.
public actor ResponseCache {
  /// The key of a response.
  public struct Key: Sendable, Hashable {
    /// The server's origin.
    public var origin: String
    /// The account's id on that server.
    public var account: String
    /// The path and query.
    public var target: String

    /// Creates a key.
    public init(origin: String, account: String, target: String) {
      self.origin = origin
      self.account = account
      self.target = target
    }
  }

  /// A cached response.
  public struct Entry: Sendable, Hashable {
    /// The body.
    public var value: JSONValue
    /// The server's entity tag.
    public var tag: String?
    /// The time of its arrival by this machine's clock.
    public var storedAt: ServerDate
  }

  /// The maximum size of a file: 32 MiB.
  private static let limit = 32 << 20

  private let path: ConfinedPath

  /// Creates a cache in `folder`, which is created when needed.
  public init(folder: ConfinedPath) { path = folder }

  /// Returns the response for a key.
  public func entry(for key: Key) -> Entry? {
    guard let bytes = try? FileSystem.read(file(key), limit: Self.limit) else { return nil }
    guard let document = try? JSONValue(parsing: bytes),
      document["version"]?.integer == 1, document["origin"] == .string(key.origin),
      document["account"] == .string(key.account), document["target"] == .string(key.target),
      let date = document["storedAt"]?.string.flatMap({ ServerDate($0) }),
      let value = document["value"]
    else {
      remove(key)
      return nil
    }
    return Entry(value: value, tag: document["tag"]?.string, storedAt: date)
  }

  /// Stores a response without the signatures of its URLs, which expire.
  public func store(_ value: JSONValue, tag: String?, at date: ServerDate, for key: Key) {
    var document: JSONObject = [
      "version": 1, "origin": .string(key.origin), "account": .string(key.account),
      "target": .string(key.target), "storedAt": .string(date.wire),
    ]
    if let tag { document["tag"] = .string(tag) }
    document["value"] = Redaction.unsigned(value)
    let bytes = JSONValue.object(document).compactBytes
    try? FileSystem.makeFolder(folder(key.account), mode: 0o700)
    _ = try? AtomicFile.writePrivate(bytes, to: file(key), isFlushed: false)
  }

  /// Marks a response as confirmed by the server.
  public func confirm(_ key: Key, at date: ServerDate) {
    guard let entry = entry(for: key) else { return }
    store(entry.value, tag: entry.tag, at: date, for: key)
  }

  /// Removes a response.
  public func remove(_ key: Key) { try? FileSystem.remove(file(key)) }

  /// Removes all responses of an account on all servers.
  public func removeAll(account: String) { try? FileSystem.removeTree(folder(account)) }

  /// Removes all responses of a server for all accounts, and invalid files.
  public func removeAll(origin: String) {
    for file in entries(of: path, .folder).flatMap({ entries(of: $0, .regular) }) {
      let document = (try? FileSystem.read(file, limit: Self.limit)).flatMap {
        try? JSONValue(parsing: $0)
      }
      if document?["origin"]?.string ?? origin == origin { try? FileSystem.remove(file) }
    }
  }

  private func entries(
    of folder: ConfinedPath, _ type: FileSystem.FileType
  ) -> [ConfinedPath] {
    let entries = (try? FileSystem.list(folder)) ?? []
    return entries.filter { $0.type == type }.map { Path.join(folder, $0.name) }
  }

  private func folder(_ account: String) -> ConfinedPath { Path.join(path, Self.digest(account)) }

  private func file(_ key: Key) -> ConfinedPath {
    Path.join(folder(key.account), "\(Self.digest(key.origin + " " + key.target)).json")
  }

  /// Returns a digest, which makes a short name from any id or URL. Digests can collide, so files
  /// contain their keys.
  private static func digest(_ text: String) -> String { ContentDigest(text.utf8).description }
}
