public import JSONText

/// The contents of `library.json`, which marks a library's root and has its settings.
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
/// The original text is kept, so that changing one setting preserves the rest of the file.
public struct LibraryConfiguration: Sendable {
  /// The newest version of the file that this program knows.
  public static let version = 1
  /// The file's name.
  public static let fileName = "library.json"

  /// The server of a library.
  public enum Server: Sendable, Hashable {
    /// The embedded server, with its data in `.stories/backend/`.
    case embedded
    /// The server at this address.
    case url(String)

    /// Creates a server from `embedded` or an address.
    public init(_ text: String) { self = text == "embedded" ? .embedded : .url(text) }

    /// The text `embedded`, or the address.
    public var text: String {
      switch self {
      case .embedded: "embedded"
      case .url(let url): url
      }
    }
  }

  /// The version of the wire contract.
  public enum API: String, Sendable, CaseIterable {
    /// The contract with preconditions, safe repeats, batches and tombstones.
    case v0
    /// The contract of the deployed InfiniteStories service.
    case v1
    /// Kinto's HTTP API: records in the collections of a bucket.
    case kinto
    /// Whichever of them the server supports.
    case auto
  }

  /// The server and account that the sidecars' ids belong to.
  public struct Identity: Sendable, Hashable {
    /// The server, as in ``Server/text``.
    public var server: String
    /// The account's id on that server.
    public var account: String

    /// Creates an identity.
    public init(server: String, account: String) {
      self.server = server
      self.account = account
    }
  }

  /// The original text.
  public let document: JSONDocument
  /// The file's version. If it is newer than ``version-type.property``, the library is read-only.
  public let version: Int
  /// The server.
  public let server: Server
  /// The version of the wire contract.
  public let api: API
  /// The strategies that differ from those of the kinds and fields.
  public let policies: Policies
  /// The server and account that the ids in the sidecars belong to, or `nil` before the first sync
  /// and with the embedded server, whose identity is the tree itself.
  public let synced: Identity?

  /// Creates the settings of a new library.
  ///
  /// - Throws: Never in practice, since the text is generated.
  public init(server: Server, api: API = .auto) throws(Problem) {
    let text: JSONObject = [
      "version": .number(Self.version), "server": .string(server.text),
      "api": .string(api.rawValue),
    ]
    try self.init(bytes: JSONValue.object(text).fileBytes())
  }

  /// Parses the file.
  ///
  /// - Throws: `Problem` if the text is not JSON or a setting is invalid. In a version newer than
  ///   ``version-type.property``, only the version must be valid.
  public init(bytes: [UInt8]) throws(Problem) {
    let document = try JSONDocument(parsing: bytes, file: Self.fileName)
    self.document = document
    let root = document.root
    guard root.kind == .object else { throw Self.wrong(root, nil) }
    guard let version = root["version"] else {
      throw Problem(.noVersion, file: Self.fileName, position: root.position)
    }
    guard let number = version.number?.integer, number >= 1 else {
      throw Self.wrong(version, "version")
    }
    self.version = number
    let settings: (Server, API, Policies, Identity?)
    do throws(Problem) {
      settings = (
        try Self.server(root["server"]), try Self.api(root["api"]),
        try Policies(root["policies"]), try Self.synced(root["synced"])
      )
    } catch {
      // A newer version may have other rules; these settings are never written to it.
      guard number > Self.version else { throw error }
      settings = (.embedded, .auto, Policies(), nil)
    }
    (server, api, policies, synced) = settings
  }

  private static func server(_ node: JSONNode?) throws(Problem) -> Server {
    guard let node else { return .embedded }
    let text = node.string ?? ""
    let server = Server(text)
    if server == .embedded { return server }
    let start = text.lowercased()
    guard start.hasPrefix("https://") || start.hasPrefix("http://") else {
      throw wrong(node, "server")
    }
    return server
  }

  private static func api(_ node: JSONNode?) throws(Problem) -> API {
    guard let node else { return .auto }
    guard let text = node.string, let value = API(rawValue: text) else {
      throw wrong(node, "api")
    }
    return value
  }

  private static func synced(_ node: JSONNode?) throws(Problem) -> Identity? {
    guard let node, node.kind != .null else { return nil }
    guard let server = node["server"]?.string, let account = node["account"]?.string else {
      throw wrong(node, "synced")
    }
    return Identity(server: server, account: account)
  }

  static func wrong(_ node: JSONNode, _ setting: String?) -> Problem {
    Problem(
      .wrongSetting(setting, text: node.string), file: fileName, position: node.position)
  }

  private static let order = ["version", "server", "api", "policies", "synced"]

  /// Warnings about members with names similar to a setting.
  public var problems: [Problem] {
    document.root.members.compactMap { member in
      guard !Self.order.contains(member.name),
        let nearest = Nearest.match(member.name, among: Self.order)
      else { return nil }
      return Problem(
        .unknownSetting(member.name, nearest: nearest), severity: .warning, file: Self.fileName,
        position: member.key.position)
    }
  }

  /// Applies the member changes between two versions to this one.
  func applying(
    changesFrom base: LibraryConfiguration, to next: LibraryConfiguration
  ) throws(Problem) -> LibraryConfiguration {
    var result = self
    let (old, new) = (base.document.root, next.document.root)
    for key in Set(old.members.map(\.name) + new.members.map(\.name)).sorted()
    where old[key]?.value != new[key]?.value {
      result = try result.setting(key, to: new[key]?.value)
    }
    return result
  }

  /// Returns the settings with one member set, or removed for `nil`. All other bytes are kept.
  ///
  /// - Throws: `Problem` if the result is not a valid `library.json`.
  public func setting(_ key: String, to value: JSONValue?) throws(Problem) -> LibraryConfiguration {
    do {
      let changed = try document.setting([(key: key, value: value)], order: Self.order)
      return try LibraryConfiguration(bytes: changed.bytes)
    } catch let problem as Problem {
      throw problem
    } catch {
      throw Problem(.settingNotWritten(key, "\(error)"), file: Self.fileName)
    }
  }
}
