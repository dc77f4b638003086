import Foundation
public import JSONText
public import StoryLibrary

/// A cache of a server's responses for when it cannot be reached, and for conditional requests.
///
/// Responses are in memory and, with a folder, on disk: one atomically written file each, with mode
/// 0600. A response is only returned to its own account. The least recently used ones are removed
/// to stay within the limit. Damaged files are ignored.
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

  /// The default limit: 32 MiB.
  public static let usualLimit = 32 << 20

  private struct Held {
    var entry: Entry
    var size: Int
    var used: Int
  }

  private let folder: CacheFolder?
  private let limit: Int
  private var held: [Key: Held] = [:]
  private var size = 0
  private var uses = 0

  /// Creates a cache of at most `limit` bytes in memory and the same in `folder`, which is created
  /// when needed; `nil` keeps nothing on disk.
  public init(folder: ConfinedPath?, limit: Int = usualLimit) {
    self.folder = folder.map { CacheFolder(path: $0, limit: limit) }
    self.limit = limit
  }

  /// Returns the response for a key.
  public func entry(for key: Key) -> Entry? {
    uses += 1
    if held[key] != nil {
      held[key]?.used = uses
      return held[key]?.entry
    }
    guard let (entry, size) = folder?.read(key) else { return nil }
    hold(entry, size: size, for: key)
    return entry
  }

  /// Stores a response without the signatures of its URLs, which expire.
  public func store(_ value: JSONValue, tag: String?, at date: ServerDate, for key: Key) {
    uses += 1
    let entry = Entry(value: Redaction.unsigned(value), tag: tag, storedAt: date)
    let bytes = CacheFolder.bytes(of: entry, for: key)
    guard bytes.count <= limit else { return remove(key) }
    hold(entry, size: bytes.count, for: key)
    folder?.write(bytes, for: key)
  }

  /// Marks a response as confirmed by the server.
  public func confirm(_ key: Key, at date: ServerDate) {
    guard let entry = entry(for: key) else { return }
    store(entry.value, tag: entry.tag, at: date, for: key)
  }

  /// Removes a response.
  public func remove(_ key: Key) {
    if let old = held.removeValue(forKey: key) { size -= old.size }
    folder?.remove(key)
  }

  /// Removes all responses of an account on all servers.
  public func removeAll(account: String) {
    for key in held.keys where key.account == account { remove(key) }
    folder?.removeAll(account: account)
  }

  /// Removes all responses of a server for all accounts.
  public func removeAll(origin: String) {
    for key in held.keys where key.origin == origin { remove(key) }
    folder?.removeAll(origin: origin)
  }

  private func hold(_ entry: Entry, size bytes: Int, for key: Key) {
    if let old = held.removeValue(forKey: key) { size -= old.size }
    held[key] = Held(entry: entry, size: bytes, used: uses)
    size += bytes
    guard size > limit else { return }
    for (old, _) in held.sorted(by: { $0.value.used < $1.value.used }) where size > limit {
      if let gone = held.removeValue(forKey: old) { size -= gone.size }
    }
  }
}
