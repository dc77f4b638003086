import StoryLibrary
import TestSupport

let hasGit: Bool = {
  let git = ChildProcess(["git", "--version"], environment: ["PATH": "/usr/bin:/bin"])
  return (try? git.run().status) == 0
}()

extension TestLibrary {
  /// Runs git in the library's folder, and returns its output.
  @discardableResult
  func git(_ arguments: String...) throws -> String {
    let result = try gitProcess(arguments).run()
    guard result.status == 0 else {
      throw Unexpected("git \(arguments) ended with \(result.status)")
    }
    return String(decoding: result.output, as: UTF8.self)
  }

  /// Runs git in the library's folder, and returns its exit status.
  func gitStatus(_ arguments: String...) throws -> Int32 { try gitProcess(arguments).run().status }

  private func gitProcess(_ arguments: [String]) -> ChildProcess {
    ChildProcess(
      ["git", "-C", root] + arguments,
      environment: [
        "PATH": "/usr/bin:/bin", "HOME": root, "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
      ])
  }
}
