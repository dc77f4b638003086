import JSONText
import StoryLibrary
import StoryPages

/// The target folder of a Markdown export, with a list of the files that exports wrote.
///
/// The list has the digest of each file, so that a file is replaced or removed only if it still is what
/// an export wrote. While an export runs, the list has the old and the new digest of a file, so that the
/// next export knows the files of one that was killed.
struct MarkdownFolder {
  struct Others {
    var removed: [String] = []
    var edited: [String] = []
    var failed: [(path: String, error: FileError)] = []
  }

  static let listName = ".stories-markdown.json"

  let path: String
  private let isForced: Bool
  private let isDryRun: Bool
  /// The digests by path that an export may replace.
  private let old: [String: Set<ContentDigest>]
  /// The digests by path as they are after this export.
  private var files: [String: Set<ContentDigest>]
  private var written: [String: Set<ContentDigest>]

  /// Reads the list of a folder, which need not exist. Nothing is written yet.
  ///
  /// - Throws: `ExportError.notAFolder`, `unreadableManifest`; `FileError`.
  init(_ path: String, isForced: Bool, isDryRun: Bool) throws {
    self.path = Path.resolved(path) ?? path
    self.isForced = isForced
    self.isDryRun = isDryRun
    if let status = try FileSystem.status(self.path), status.type != .folder {
      throw ExportError.notAFolder(path)
    }
    old = try Self.list(in: self.path)
    files = old
    written = old
  }

  private static func list(in folder: String) throws -> [String: Set<ContentDigest>] {
    let place = ConfinedPath(root: folder, listName)
    guard let status = try FileSystem.status(place) else { return [:] }
    guard status.type == .regular, let value = try? JSONValue(parsing: FileSystem.read(place)),
      value["version"]?.integer == 1, let members = value["files"]?.object?.members
    else { throw ExportError.unreadableManifest(place.text) }
    var files: [String: Set<ContentDigest>] = [:]
    for member in members {
      let values = member.value.array ?? [member.value]
      let digests = values.compactMap { $0.string.flatMap { ContentDigest($0) } }
      guard isFileName(member.key), digests.count == values.count else {
        throw ExportError.unreadableManifest(place.text)
      }
      files[member.key, default: []].formUnion(digests)
    }
    return files
  }

  /// Returns whether an export may have written a file of that name.
  private static func isFileName(_ name: String) -> Bool {
    name.hasSuffix(".md") && !name.contains("\0")
      && name.split(separator: "/", omittingEmptySubsequences: false)
        .allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") }
  }

  /// Makes the folder, removes the temporary files of an export that was killed, and lists the files
  /// that are about to be written.
  mutating func begin(_ contents: [String: [UInt8]]) throws(FileError) {
    guard !isDryRun else { return }
    try FileSystem.makeFolder(path)
    for folder in Set((Array(contents.keys) + Array(old.keys)).map { Path.parent($0) } + [""]) {
      let place = ConfinedPath(root: path, folder)
      // A folder that cannot be read, such as a link, is reported with its files.
      for entry in (try? FileSystem.list(place)) ?? [] where StaleFiles.isOne(entry.name) {
        _ = try? StaleFiles.settle(ConfinedPath(root: path, Path.join(folder, entry.name)))
      }
    }
    var accepted = old
    for (name, bytes) in contents { accepted[name, default: []].insert(ContentDigest(bytes)) }
    try write(accepted)
  }

  /// Writes a file unless it has these bytes.
  ///
  /// - Throws: `TransferError.notExported` if the file is not what an export wrote; `FileError`.
  mutating func write(_ bytes: [UInt8], to name: String) throws -> FileChange {
    let place = ConfinedPath(root: path, name)
    let digest = ContentDigest(bytes)
    let present = try read(place)
    if let present {
      guard present != bytes else {
        files[name] = [digest]
        return .unchanged
      }
      guard isForced || old[name]?.contains(ContentDigest(present)) == true else {
        throw TransferError.notExported(path: place.text)
      }
    }
    guard !isDryRun else { return present == nil ? .created : .updated }
    files[name, default: []].insert(digest)
    try FileSystem.makeFolder(Path.parent(place))
    let outcome = try AtomicFile.write(
      bytes, to: place, expecting: present.map { .content(ContentDigest($0)) } ?? .absent,
      isFlushed: false)
    guard outcome == .done else { throw TransferError.notExported(path: place.text) }
    files[name] = [digest]
    return present == nil ? .created : .updated
  }

  /// Removes the files of earlier exports that are not among `names`, unless they were edited.
  mutating func removeOthers(than names: Set<String>) -> Others {
    var others = Others()
    for (name, digests) in old.sorted(by: { $0.key < $1.key }) where !names.contains(name) {
      do throws(FileError) {
        let place = ConfinedPath(root: path, name)
        if let bytes = try read(place) {
          let digest = ContentDigest(bytes)
          if digests.contains(digest) {
            if !isDryRun {
              _ = try AtomicFile.remove(place, expecting: digest)
              FileSystem.removeEmptyFolders(above: place)
            }
            others.removed.append(name)
          } else {
            others.edited.append(name)
          }
        }
        files[name] = nil
      } catch {
        others.failed.append((name, error))
      }
    }
    return others
  }

  /// Writes the list as the files now are.
  mutating func finish() throws(FileError) {
    if !isDryRun { try write(files) }
  }

  private mutating func write(_ files: [String: Set<ContentDigest>]) throws(FileError) {
    guard files != written else { return }
    let members = files.sorted { $0.key < $1.key }.map { name, digests in
      let words = digests.map(\.description).sorted().map { JSONValue.string($0) }
      return (name, words.count == 1 ? words[0] : .array(words))
    }
    let document: JSONObject = ["version": 1, "files": .object(JSONObject(members))]
    try AtomicFile.write(
      JSONValue.object(document).fileBytes(), to: ConfinedPath(root: path, Self.listName))
    written = files
  }

  private func read(_ place: ConfinedPath) throws(FileError) -> [UInt8]? {
    try FileSystem.status(place) == nil ? nil : FileSystem.read(place)
  }
}
