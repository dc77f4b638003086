package import StoryServer
import Testing

/// The servers that tests of the contract run with, each as an argument of its own.
///
/// `swift test --filter SUITE --verbose | grep 'Kinto (memory)'` lists those of one server.
package enum ContractServer: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case v0 = "embedded v0"
  case v1 = "embedded v1"
  case kinto = "Kinto (memory)"
  case nodes = "Kinto (two nodes, PostgreSQL)"

  /// Those that are installed here; in CI all have to be.
  package static let allCases = [v0, v1] + kintos

  package static let kintos =
    (KintoServer.isExpected ? [kinto] : []) + (PostgreSQL.isExpected ? [nodes] : [])

  /// All but the two nodes, for what does not depend on which node answers, when and in which order.
  package static let single = allCases.filter { $0 != .nodes }

  /// An embedded one and a Kinto, for what is decided on this machine whatever the server speaks.
  package static let oneOfEach = single.filter { $0 != .v1 }

  package var testDescription: String { rawValue }
  package var isKinto: Bool { self == .kinto || self == .nodes }

  /// The form that the embedded server speaks; for Kinto nothing of it is asked for.
  package var api: ServerAPI { self == .v1 ? .v1 : .v0 }

  /// The nodes of a Kinto.
  package func nodes() throws -> [KintoServer] {
    switch self {
    case .v0, .v1: []
    case .kinto: [try KintoServer.shared()]
    case .nodes: try KintoNodes.shared().nodes
    }
  }
}
