import StoryAPI
import StoryLibrary

/// The source of the few records whose content the planner needs.
protocol RecordSource: Sendable {
  /// Returns the bytes of a file, by its path relative to the library's root.
  func read(_ path: String) throws(Problem) -> [UInt8]
  /// Returns a record's file.
  func file(_ ref: RecordRef) throws(Problem) -> RecordFile
  /// Returns a record's sidecar from the path of the sidecar of `place`.
  func sidecar(of ref: RecordRef, at place: RecordRef) throws(Problem) -> Sidecar
  /// Returns a record of the server.
  func record(_ kind: EntityKind, _ entry: RemoteChange) throws -> RemoteRecord
  /// Returns when a record's file was written, by the server's clock, or `nil` if that is unknown.
  func modified(_ ref: RecordRef) -> ServerDate?
}
