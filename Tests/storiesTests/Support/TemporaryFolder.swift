import Foundation
import StoryLibrary

/// A folder of a test's own, which goes with everything in it when nobody uses it any more.
final class TemporaryFolder: Sendable {
  /// Its path, without symbolic links.
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "stories-cli-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = Path.resolved(url.path) ?? url.path
  }

  deinit { try? FileSystem.removeTree(path) }

  func path(_ relative: String) -> String { Path.join(path, relative) }

  func read(_ relative: String) throws -> String {
    String(decoding: try FileSystem.read(path(relative)), as: UTF8.self)
  }

  func setMode(_ relative: String, _ mode: UInt32) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: Int(mode)], ofItemAtPath: path(relative))
  }

  func exists(_ relative: String) -> Bool { FileSystem.exists(path(relative)) }

  func remove(_ relative: String) throws { try FileSystem.removeTree(path(relative)) }

  func move(_ from: String, to: String) throws {
    try FileSystem.makeFolder(Path.parent(path(to)))
    try FileSystem.rename(path(from), to: path(to))
  }

  func write(_ text: String, to relative: String) throws {
    try FileSystem.makeFolder(Path.parent(path(relative)))
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(relative)))
  }

  func makeFolder(_ relative: String) throws { try FileSystem.makeFolder(path(relative)) }

  /// Makes a symbolic link.
  func link(_ relative: String, to target: String) throws {
    try FileSystem.makeFolder(Path.parent(path(relative)))
    try FileManager.default.createSymbolicLink(
      atPath: path(relative), withDestinationPath: target)
  }

  /// The paths of everything below a folder that is not a folder itself; links are not followed.
  func files(below folder: String = "") throws -> [String] {
    try FileSystem.list(Path.join(path, folder)).flatMap { entry in
      let inner = Path.join(folder, entry.name)
      return entry.type == .folder ? try files(below: inner) : [inner]
    }
  }

  /// Replaces a text that stands in a file exactly once.
  func edit(_ relative: String, _ old: String, to new: String) throws {
    let text = try read(relative)
    guard text.components(separatedBy: old).count == 2 else { throw EditFailure(text: old) }
    try write(text.replacingOccurrences(of: old, with: new), to: relative)
  }

  /// An edit whose place is not there, or not only once.
  struct EditFailure: Error { var text: String }
}
