import Foundation

/// A folder of a test's own, removed with everything in it when it is released.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "stories-api-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func mode(_ name: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + name)
    return (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? -1
  }

  func setMode(_ name: String, _ mode: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path + name)
  }

  /// The names of all files below, sorted.
  var files: [String] {
    (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).sorted()
  }
}
