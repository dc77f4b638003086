import JSONText
import StoryLibrary

/// The files that an export has made, so that a later one removes no others.
///
/// ```json
/// { "version": 1, "files": { "index.html": "<digest>", … } }
/// ```
/// A file without a digest was about to be written when the export was interrupted. Until an export
/// is complete, a journal next to the list has a line with the new digest and the path of each file
/// that it replaces, so that the next one recognizes both versions.
struct SiteManifest: Sendable, Equatable {
  static let name = "stories-site.json"
  static let journalName = ".stories-site-journal"

  var files: [String: ContentDigest?] = [:]

  /// The digests of files that an interrupted export wrote or was about to write.
  private var interrupted: [String: Set<ContentDigest>] = [:]

  init() {}

  /// Reads the list of an earlier export, or returns `nil` for a folder without one.
  ///
  /// - Throws: ``ExportError/unreadableManifest(_:)``; `FileError`.
  init?(in folder: String) throws {
    let path = ConfinedPath(root: folder, Self.name)
    guard try FileSystem.status(path) != nil else { return nil }
    let bytes = try FileSystem.read(path)
    guard let value = try? JSONValue(parsing: bytes), value["version"]?.integer == 1,
      let members = value["files"]?.object?.members, members.allSatisfy({ Place.isPath($0.key) })
    else { throw ExportError.unreadableManifest(path.text) }
    for member in members {
      files[member.key] = .some(member.value.string.flatMap { ContentDigest($0) })
    }
    let journal = ConfinedPath(root: folder, Self.journalName)
    guard try FileSystem.status(journal) != nil else { return }
    for line in try FileSystem.read(journal).split(separator: UInt8(ascii: "\n")) {
      let text = String(decoding: line, as: UTF8.self)
      guard let digest = ContentDigest(String(text.prefix(32))) else { continue }
      interrupted[String(text.dropFirst(33)), default: []].insert(digest)
    }
  }

  /// Returns a line of the journal.
  static func line(_ digest: ContentDigest, _ path: String) -> [UInt8] {
    Array("\(digest) \(path)\n".utf8)
  }

  /// Returns whether an export has written a file with this content.
  func isOwn(_ digest: ContentDigest, _ path: String) -> Bool {
    files[path] == .some(digest) || interrupted[path]?.contains(digest) ?? false
  }

  /// Returns whether a file is as an export wrote it, or `nil` if it does not exist.
  func isUnedited(_ path: String, in folder: String) throws(FileError) -> Bool? {
    let file = ConfinedPath(root: folder, path)
    guard let status = try FileSystem.status(file) else { return nil }
    return status.type == .regular ? isOwn(try SiteFolder.digest(file), path) : false
  }

  /// Writes the list atomically.
  func write(to folder: String) throws(FileError) {
    let members = files.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { (key: $0.key, value: $0.value.map { JSONValue.string($0.description) } ?? .null) }
    let document: JSONValue = ["version": 1, "files": .object(JSONObject(members))]
    let bytes = document.fileBytes()
    let path = ConfinedPath(root: folder, Self.name)
    if let present = try? FileSystem.read(path), present == bytes { return }
    try AtomicFile.write(bytes, to: path)
  }
}
