/// Two nodes of a Kinto that share nothing but one PostgreSQL.
package struct KintoNodes: Sendable {
  package let database: PostgreSQL
  package let nodes: [KintoServer]

  private init() throws {
    database = try PostgreSQL()
    let first = try KintoServer(database.settings, migrates: true)
    nodes = [first, try KintoServer(database.settings)]
  }

  /// The nodes that tests share; each test has a bucket of its own.
  package static func shared() throws -> KintoNodes { try common.get() }

  private static let common = Result { try KintoNodes() }

  /// One more node over the same database, for a test that ends it.
  package func newNode() throws -> KintoServer { try KintoServer(database.settings) }
}
