import JSONText
import StoryAPI
import StoryLibrary

/// The content of `config.json` in the user's configuration folder.
///
/// ```json
/// {
///   "tokenStore": "git",
///   "requestTimeout": "30s",
///   "retry": "200ms,500ms,1s",
///   "pinnedKeys": { "https://stories.example": ["sha256/…"] }
/// }
/// ```
/// Every member is optional; those of ``SettingName`` are strings (``SettingName/maxRequests`` may
/// be a number, ``SettingName/retry`` a number or an array of times). Only the user may be able to
/// write the file.
struct UserConfiguration: Sendable {
  static let fileName = "config.json"
  /// The member with the keys that servers must have, by address.
  static let pinnedKeys = "pinnedKeys"

  /// The file's path; it need not exist.
  let path: String
  /// The path of the content: another one if the file is a link, as dot-file managers make it.
  private let target: String
  private let document: JSONDocument?
  private var root: JSONNode? { document?.root }

  /// Reads the file; a missing one has no settings. A link is followed, and must be as safe from
  /// others as what it points to.
  ///
  /// - Throws: `SettingError`; `FileError` if the file cannot be read.
  init(folder: String) throws {
    path = Path.join(folder, Self.fileName)
    guard let status = try FileSystem.status(path) else {
      target = path
      document = nil
      return
    }
    let isLink = status.type == .link
    guard let target = isLink ? Path.resolved(path) : path else {
      throw SettingError.file(
        path: path, nil, message: "this symbolic link leads nowhere",
        hint: "restore what it points to, or remove the link")
    }
    self.target = target
    let folders = isLink ? [folder, Path.parent(target)] : [folder]
    // The mode of a link says nothing.
    guard !isLink || status.isOwn || status.owner == 0 else {
      throw SettingError.openToOthers(path: path)
    }
    if let status = try FileSystem.status(target), !status.isSafeFromOthers {
      throw SettingError.openToOthers(path: target)
    }
    for folder in folders where try !FileSystem.folderStatus(folder).isSafeFromOthers {
      throw SettingError.openToOthers(path: folder)
    }
    let bytes = try FileSystem.read(target, limit: 1 << 20)
    do throws(JSONSyntaxError) {
      document = try JSONDocument(parsing: bytes)
    } catch {
      throw SettingError.file(
        path: path, error.position, message: error.message, hint: "fix it, or remove the file")
    }
    try check()
  }

  /// Returns a setting's text in the file, or `nil` if it is not set.
  ///
  /// - Throws: `SettingError.file` if the member is not a string, number or array of strings.
  func word(_ name: SettingName) throws(SettingError) -> String? {
    guard let node = root?[name.rawValue] else { return nil }
    switch node.kind {
    case .string: return node.string
    case .number: return node.value.compactText
    case .array:
      let words = node.elements.compactMap(\.string)
      if words.count == node.elements.count, !words.isEmpty { return words.joined(separator: ",") }
    default: break
    }
    throw wrong(node, "“\(name.rawValue)” must be a string")
  }

  /// Returns whether the file has a setting, valid or not.
  func has(_ name: SettingName) -> Bool { root?[name.rawValue] != nil }

  /// Writes a setting, or removes it with `nil`; the rest of the file stays as it is.
  ///
  /// - Throws: `FileError`.
  func store(_ word: String?, for name: SettingName) throws {
    let bytes: [UInt8]
    if let document, !document.root.members.isEmpty {
      bytes = try document.setting(
        [(name.rawValue, word.map { .string($0) })], order: SettingName.choices
      ).bytes
    } else {
      guard let word else { return }
      bytes = JSONValue.object([name.rawValue: .string(word)]).fileBytes()
    }
    try FileSystem.makeFolder(Path.parent(path), mode: 0o700)
    try AtomicFile.write(bytes, to: target, mode: target == path ? 0o600 : nil)
  }

  func problem(_ name: SettingName, _ problem: ValueProblem) -> SettingError {
    wrong(
      root?[name.rawValue], "“\(name.rawValue)” must be \(problem.expected)",
      hint: problem.nearest.map { "did you mean “\($0)”?" })
  }

  /// Returns the keys that servers must have.
  ///
  /// - Throws: `SettingError.file` for an invalid address or key.
  func pins() throws(SettingError) -> KeyPins {
    var pins = KeyPins()
    for member in pinned {
      let address: ServerAddress
      do throws(ServerAddress.Problem) {
        address = try ServerAddress(member.name, allowsPlainHTTP: true)
      } catch {
        throw wrong(member.key, error.message, hint: error.suggestion)
      }
      let keys = member.value.kind == .string ? [member.value] : member.value.elements
      guard !keys.isEmpty else {
        throw wrong(member.value, "the keys of \(member.name) must be an array of strings")
      }
      for key in keys {
        do throws(KeyPins.Problem) {
          try pins.add(key.string ?? key.value.compactText, for: address)
        } catch {
          throw wrong(key, error.message)
        }
      }
    }
    return pins
  }

  var pinnedServers: [String] { pinned.map(\.name) }

  private var pinned: [JSONNode.Member] { root?[Self.pinnedKeys]?.members ?? [] }

  private func check() throws(SettingError) {
    guard let root else { return }
    guard root.kind == .object else { throw wrong(root, "the settings must be an object") }
    let known = SettingName.allCases.map(\.rawValue) + [Self.pinnedKeys]
    for member in root.members where !known.contains(member.name) {
      let nearest = Nearest.match(member.name, among: known)
      throw wrong(
        member.key, "unknown setting “\(member.name)”",
        hint: nearest.map { "did you mean “\($0)”?" }
          ?? "the settings are \(Phrases.list(known))")
    }
    if let node = root[Self.pinnedKeys], node.kind != .object {
      throw wrong(node, "“\(Self.pinnedKeys)” must be an object: an address, and its keys")
    }
  }

  private func wrong(_ node: JSONNode?, _ message: String, hint: String? = nil) -> SettingError {
    .file(path: path, node?.position, message: message, hint: hint)
  }
}
