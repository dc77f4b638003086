import StoryAPI
import StoryLibrary

/// Where the planner gets the content of the few records that it has to look into.
protocol RecordSource: Sendable {
  /// The bytes of a file, by its path below the library's root.
  func read(_ path: String) throws(Problem) -> [UInt8]
  /// A record's file.
  func file(_ ref: RecordRef) throws(Problem) -> RecordFile
  /// A record's sidecar, which lies where that of `place` would.
  func sidecar(of ref: RecordRef, at place: RecordRef) throws(Problem) -> Sidecar
  /// A record of the server.
  func record(_ kind: EntityKind, _ entry: RemoteChange) throws -> RemoteRecord
  /// When a record's file was written, by the server's clock; `nil` where that is not known.
  func modified(_ ref: RecordRef) -> ServerDate?
}
