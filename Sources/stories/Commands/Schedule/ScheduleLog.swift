import Foundation
import StoryAPI
import StoryLibrary

/// The log of scheduled syncs in a library's state: `.stories/schedule.log`.
///
/// Each sync begins with a line of its time and ends with a line of its exit code.
struct ScheduleLog: Sendable {
  private let library: Library
  private let sink: OutputSink

  static let fileName = "schedule.log"
  static let limit = 256 << 10

  init(_ library: Library) {
    self.library = library
    let path = library.statePath(Self.fileName)
    sink = OutputSink(isBuffered: false) { bytes in
      guard let file = try? FileSystem.open(path, O_WRONLY | O_CREAT | O_APPEND) else { return EIO }
      defer { close(file) }
      return bytes.withUnsafeBytes { FileSystem.writeAll($0, to: file) }
    }
  }

  private var file: ConfinedPath { library.statePath(Self.fileName) }

  var path: String { file.text }

  var output: Output { Output(sink: sink, isTerminal: false, width: 100) }

  /// Begins a sync; a log that has grown too long is set aside first.
  func begin(at date: ServerDate) {
    try? library.prepareStateFolder()
    if let size = try? FileSystem.status(file)?.size, size >= Self.limit {
      try? FileSystem.rename(file, to: library.statePath(Self.fileName + ".1"))
    }
    output.line("== \(date.wire)")
  }

  /// Whether everything so far is in the log.
  var isWritten: Bool { sink.failure == nil }

  func end(_ code: ExitCode) { output.line("-- exit \(code.rawValue)") }

  /// The last sync: its first line of output, and its exit code if it ended.
  var last: (line: String, exitCode: Int?)? {
    guard let bytes = try? FileSystem.read(file, limit: 16 << 20) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    guard let start = lines.lastIndex(where: { $0.hasPrefix("== ") }) else { return nil }
    let time = String(lines[start].dropFirst(3))
    let rest = lines[(start + 1)...]
    let code = rest.last.flatMap { $0.hasPrefix("-- exit ") ? Int($0.dropFirst(8)) : nil }
    let result = code.map { $0 == 0 ? "done" : "ended with \($0)" } ?? "not finished"
    return ("\(time), \(result)", code)
  }
}
