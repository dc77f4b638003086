public import StoryAPI
import StoryLibrary

/// A repository of one kind of records that people write.
public protocol RecordRepository: Sendable {
  /// The type of the records.
  associatedtype Record: LibraryRecord
  /// The records.
  var records: RecordStore<Record> { get }
  /// The cache policy of reads without an explicit one.
  static var usualPolicy: CachePolicy { get }
}

extension RecordRepository {
  /// Heroes, stories and events are local files; the server is asked only if there are none.
  public static var usualPolicy: CachePolicy { .cacheFirst }

  /// See ``RecordStore/fetchAll(policy:)``.
  public func fetchAll(policy: CachePolicy = Self.usualPolicy) async throws -> Cached<[Record]> {
    try await records.fetchAll(policy: policy)
  }

  /// See ``RecordStore/fetch(_:policy:)``.
  public func fetch(
    _ name: String, policy: CachePolicy = Self.usualPolicy
  ) async throws -> Cached<Record> {
    try await records.fetch(name, policy: policy)
  }

  /// See ``RecordStore/create(_:)``.
  public func create(_ record: Record) throws -> Record { try records.create(record) }

  /// See ``RecordStore/update(_:_:)``.
  @discardableResult
  public func update(_ name: String, _ change: (inout Record) throws -> Void) throws -> Record {
    try records.update(name, change)
  }

  /// See ``RecordStore/delete(_:)``.
  public func delete(_ name: String) throws { try records.delete(name) }
}
