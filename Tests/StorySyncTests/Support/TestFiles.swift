import Foundation
import StoryLibrary

/// What tests do to files that the library itself never does.
enum TestFiles {
  static func link(at path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  static func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  /// Runs git in a folder, without anything of the user's own configuration.
  static func git(_ arguments: String..., in folder: String) throws {
    let environment = [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder, "GIT_CONFIG_NOSYSTEM": "1",
    ]
    let git = ChildProcess(["git", "-C", folder] + arguments, environment: environment)
    let result = try git.run()
    guard result.status == 0 else {
      throw Unexpected("git \(arguments) ended with \(result.status)")
    }
  }
}
