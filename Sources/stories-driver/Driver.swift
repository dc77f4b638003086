import StoryLibrary
import StoryMerge

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The commands of `stories` that git calls for each file, with the same words, as a program of their
/// own: `stories-driver git merge-record …`, `… git merge-sidecar …`, `… git textconv FILE`.
@main
enum Driver {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 2, words[0] == "git" else { end(usage, with: 2) }
    let rest = Array(words.dropFirst(2))
    do {
      switch words[1] {
      case "merge-record": try merge(rest) { try $0.mergeRecord() }
      case "merge-sidecar": try merge(rest) { try $0.mergeSidecar() }
      case "textconv" where rest.count == 1: try show(rest[0])
      default: end(usage, with: 2)
      }
    } catch {
      end("\(error)", with: 2)
    }
  }

  private static let usage = "this program is called by git; see `stories help git setup`"

  private static func merge(
    _ words: [String], _ merge: (MergeDriver) throws -> MergeDriver.Result
  ) throws {
    guard let call = MergeCall(words, in: Path.currentFolder()) else { end(usage, with: 2) }
    let result = try merge(MergeDriver(call))
    end(result.message(call.path), with: result.exitCode)
  }

  private static func show(_ file: String) throws {
    let bytes = try FileSystem.read(Path.absolute(file, in: Path.currentFolder()))
    exit(write(RecordProse.text(of: bytes), to: STDOUT_FILENO) ? 0 : 2)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return false }
      rest = rest.dropFirst(max(count, 0))
    }
    return true
  }

  private static func end(_ message: String?, with code: Int32) -> Never {
    if let message { _ = write(Array("stories: \(message)\n".utf8), to: STDERR_FILENO) }
    exit(code)
  }
}

private func systemWrite(_ file: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, buffer, count)
}
