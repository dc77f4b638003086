import Foundation
import StoryLibrary

/// A folder of a test's own, which goes with everything in it when nobody uses it any more.
package final class TemporaryFolder: Sendable {
  /// Its path, without symbolic links.
  package let path: String

  /// A folder in memory, if there is one with room: tests make and flush some hundred thousand files, and
  /// a disk that is busy with something else would let them wait.
  private static let memory: URL? = {
    let path = "/dev/shm"
    let room = try? FileManager.default.attributesOfFileSystem(forPath: path)[.systemFreeSize]
    guard let room = (room as? NSNumber)?.int64Value, room > 2 << 30,
      FileManager.default.isWritableFile(atPath: path)
    else { return nil }
    return URL(fileURLWithPath: path)
  }()

  /// A new folder.
  ///
  /// - Parameter isOnDisk: whether it is on a disk in any case.
  package init(isOnDisk: Bool = false) throws {
    let parent = isOnDisk ? nil : Self.memory
    let url = (parent ?? FileManager.default.temporaryDirectory).appendingPathComponent(
      "stories-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = Path.resolved(url.path) ?? url.path
  }

  deinit { try? FileSystem.removeTree(path) }

  package func path(_ relative: String) -> String { Path.join(path, relative) }

  package func read(_ relative: String) throws -> String {
    String(decoding: try bytes(relative), as: UTF8.self)
  }

  package func bytes(_ relative: String) throws -> [UInt8] { try FileSystem.read(path(relative)) }

  /// Writes a file as an editor does that truncates and writes, with the folders it needs.
  package func write(_ text: String, to relative: String) throws {
    try write(Array(text.utf8), to: relative)
  }

  package func write(_ bytes: some Sequence<UInt8>, to relative: String) throws {
    try FileSystem.makeFolder(Path.parent(path(relative)))
    try Data(bytes).write(to: URL(fileURLWithPath: path(relative)))
  }

  /// Copies the project's sample library as git has it: without the sidecars that README's first command
  /// leaves in a checkout.
  ///
  /// - Parameter relative: the folder that becomes the library.
  package func copySampleData(to relative: String = "") throws {
    let manager = FileManager.default
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let sample = tests.deletingLastPathComponent().appendingPathComponent("SampleData").path
    for name in ["library.json", "heroes", "events", "stories"] {
      let target = path(Path.join(relative, name))
      try? manager.removeItem(atPath: target)
      try manager.copyItem(atPath: "\(sample)/\(name)", toPath: target)
      for case let inner as String in manager.enumerator(atPath: target) ?? .init()
      where Path.name(inner) == ".sync" {
        try manager.removeItem(atPath: "\(target)/\(inner)")
      }
    }
  }

  /// Replaces a text that stands in a file exactly once.
  package func edit(_ relative: String, _ old: String, to new: String) throws {
    let text = try read(relative)
    guard text.components(separatedBy: old).count == 2 else { throw EditFailure(text: old) }
    try write(text.replacingOccurrences(of: old, with: new), to: relative)
  }

  /// An edit whose place is not there, or not only once.
  package struct EditFailure: Error { package var text: String }

  package func exists(_ relative: String) -> Bool { FileSystem.exists(path(relative)) }

  package func makeFolder(_ relative: String) throws { try FileSystem.makeFolder(path(relative)) }

  package func remove(_ relative: String) throws { try FileSystem.removeTree(path(relative)) }

  package func move(_ from: String, to: String) throws {
    try FileSystem.makeFolder(Path.parent(path(to)))
    try FileSystem.rename(path(from), to: path(to))
  }

  /// Makes a symbolic link at `relative` that leads to `target`.
  package func link(_ relative: String, to target: String) throws {
    try FileSystem.makeFolder(Path.parent(path(relative)))
    try FileManager.default.createSymbolicLink(
      atPath: path(relative), withDestinationPath: target)
  }

  /// The permission bits of a file or folder.
  package func mode(_ relative: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path(relative))
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
  }

  package func setMode(_ relative: String, _ mode: some BinaryInteger) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: Int(mode)], ofItemAtPath: path(relative))
  }

  /// All files below a folder by their paths here, in the order of their bytes; links are not followed.
  /// An empty folder counts as a file whose name ends in `/`.
  package func files(below folder: String = "") throws -> [String] {
    try FileSystem.list(Path.join(path, folder)).flatMap { entry in
      let inner = Path.join(folder, entry.name)
      guard entry.type == .folder else { return [inner] }
      let below = try files(below: inner)
      return below.isEmpty ? [inner + "/"] : below
    }
  }
}
