import Foundation
public import JSONText
public import StoryLibrary

/// Keeps answers of a server for when it cannot be reached, and to spare it sending them again.
///
/// In memory and, with a folder, on disk: one file for each answer, mode 0600, whole or not there.
/// An answer is given to nobody but the account it was for. What is longest unused goes first where
/// the bound is reached. A damaged file counts as none.
public actor ResponseCache {
  /// What an answer is kept under.
  public struct Key: Sendable, Hashable {
    /// The server's origin.
    public var origin: String
    /// The account's id on that server.
    public var account: String
    /// Path and query.
    public var target: String

    /// A key from its parts.
    public init(origin: String, account: String, target: String) {
      self.origin = origin
      self.account = account
      self.target = target
    }
  }

  /// One answer.
  public struct Entry: Sendable, Hashable {
    /// The body.
    public var value: JSONValue
    /// The tag that the server gave it.
    public var tag: String?
    /// When it came, by this machine's clock.
    public var storedAt: ServerDate
  }

  /// The bound where nothing else is said: 32 MiB.
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

  /// A cache of at most `limit` bytes, in memory and again in `folder`, which is made when it is
  /// needed; `nil` keeps nothing on disk.
  public init(folder: ConfinedPath?, limit: Int = usualLimit) {
    self.folder = folder.map { CacheFolder(path: $0, limit: limit) }
    self.limit = limit
  }

  /// What is kept under a key.
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

  /// Keeps an answer; what signs its URLs is cut off, for that is worth nothing later.
  public func store(_ value: JSONValue, tag: String?, at date: ServerDate, for key: Key) {
    uses += 1
    let entry = Entry(value: Redaction.unsigned(value), tag: tag, storedAt: date)
    let bytes = CacheFolder.bytes(of: entry, for: key)
    guard bytes.count <= limit else { return remove(key) }
    hold(entry, size: bytes.count, for: key)
    folder?.write(bytes, for: key)
  }

  /// Notes that the server said an answer still holds.
  public func confirm(_ key: Key, at date: ServerDate) {
    guard let entry = entry(for: key) else { return }
    store(entry.value, tag: entry.tag, at: date, for: key)
  }

  /// Forgets one answer.
  public func remove(_ key: Key) {
    if let old = held.removeValue(forKey: key) { size -= old.size }
    folder?.remove(key)
  }

  /// Forgets all answers for an account, on every server.
  public func removeAll(account: String) {
    for key in held.keys where key.account == account { remove(key) }
    folder?.removeAll(account: account)
  }

  /// Forgets all answers of one server, for whatever account.
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
