public import JSONText

/// What `library.json` says: the marker of a library's root and its settings.
///
/// ```json
/// {
///   "version": 1,
///   "server": "embedded",
///   "api": "auto",
///   "policies": { "heroes": "server", "stories": { "title": "ask" } },
///   "synced": { "server": "https://…", "account": "…" }
/// }
/// ```
/// The text is kept, so that a change of one setting leaves the rest of the file as it was written.
public struct LibraryConfiguration: Sendable {
  /// The newest form of the file that this program knows.
  public static let version = 1
  /// The file's name in the library's root.
  public static let fileName = "library.json"

  /// Where the library is synced to.
  public enum Server: Sendable, Hashable {
    /// A server inside this program, with its data in `.stories/backend/`.
    case embedded
    /// A server at this address.
    case url(String)

    /// The server of that name: `embedded`, or an address.
    public init(_ text: String) { self = text == "embedded" ? .embedded : .url(text) }

    /// `embedded`, or the address.
    public var text: String {
      switch self {
      case .embedded: "embedded"
      case .url(let url): url
      }
    }
  }

  /// Which form of the wire contract the server speaks.
  public enum API: String, Sendable, CaseIterable {
    /// Preconditions, safe repeats, batches and tombstones.
    case v0
    /// The contract of the deployed InfiniteStories service.
    case v1
    /// Whichever of the two answers.
    case auto
  }

  /// The server and account that the sidecars' ids belong to.
  public struct Identity: Sendable, Hashable {
    /// The server, as in ``Server/text``.
    public var server: String
    /// The account's id on that server.
    public var account: String

    /// An identity from its parts.
    public init(server: String, account: String) {
      self.server = server
      self.account = account
    }
  }

  /// The file's text.
  public private(set) var document: JSONDocument
  /// The form of the file; a newer one than ``version`` makes the library read-only.
  public let version: Int
  /// Where the library is synced to.
  public private(set) var server: Server
  /// Which form of the contract the server speaks.
  public private(set) var api: API
  /// Who wins where both sides changed a field, for the kinds and fields that say so.
  public let policies: Policies
  /// Whom the ids in the sidecars belong to; `nil` before the first sync, and with the embedded
  /// server, whose identity is the tree itself.
  public private(set) var synced: Identity?

  /// A new library's settings.
  ///
  /// - Throws: never in practice: the text is made here.
  public init(server: Server, api: API = .auto) throws(Problem) {
    let text: JSONObject = [
      "version": .number(JSONNumber(Self.version)), "server": .string(server.text),
      "api": .string(api.rawValue),
    ]
    try self.init(bytes: JSONValue.object(text).fileBytes())
  }

  /// Reads the file.
  ///
  /// - Throws: `Problem` where the text is not JSON or a setting has a value that it cannot have.
  public init(bytes: [UInt8]) throws(Problem) {
    let document = try Self.parse(bytes)
    self.document = document
    let root = document.root
    guard root.kind == .object else { throw Self.wrong(root, "library.json must be an object") }
    guard let version = root["version"] else {
      throw Problem(
        .missing, file: Self.fileName, position: root.position, message: "“version” is missing",
        hint: "add \"version\": 1")
    }
    guard let number = version.number?.integer, number >= 1 else {
      throw Self.wrong(version, "“version” must be a number from 1 on")
    }
    self.version = number
    server = .embedded
    if let node = root["server"] {
      guard let text = node.string, !text.isEmpty else {
        throw Self.wrong(node, "“server” must be \"embedded\" or an address")
      }
      server = Server(text)
    }
    api = .auto
    if let node = root["api"] {
      guard let text = node.string, let value = API(rawValue: text) else {
        throw Self.wrong(node, "“api” must be \"v0\", \"v1\" or \"auto\"")
      }
      api = value
    }
    policies = try Policies(root["policies"])
    if let node = root["synced"], node.kind != .null {
      guard let server = node["server"]?.string, let account = node["account"]?.string else {
        throw Self.wrong(node, "“synced” must have a “server” and an “account”")
      }
      synced = Identity(server: server, account: account)
    }
  }

  private static func parse(_ bytes: [UInt8]) throws(Problem) -> JSONDocument {
    do throws(JSONSyntaxError) {
      return try JSONDocument(parsing: bytes)
    } catch {
      throw Problem(error, file: fileName, bytes: bytes)
    }
  }

  private static func wrong(_ node: JSONNode, _ message: String) -> Problem {
    Problem(.type, file: fileName, position: node.position, message: message)
  }

  /// The same settings with one member set or, for `nil`, removed; all other bytes stay.
  ///
  /// - Throws: `Problem` where the result would be no valid `library.json`.
  public func setting(_ key: String, to value: JSONValue?) throws(Problem) -> LibraryConfiguration {
    let order = ["version", "server", "api", "policies", "synced"]
    do {
      let changed = try document.setting([(key: key, value: value)], order: order)
      return try LibraryConfiguration(bytes: changed.bytes)
    } catch let problem as Problem {
      throw problem
    } catch {
      throw Problem(.type, file: Self.fileName, message: "cannot set “\(key)”: \(error)")
    }
  }
}
