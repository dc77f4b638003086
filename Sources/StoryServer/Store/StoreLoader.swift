/// Brings a log into memory.
struct StoreLoader {
  let file: LogFile

  /// Reads the log, cuts a torn last line off and starts an empty one.
  ///
  /// - Throws: `StoryServerError.damagedLog`, `.unsupportedLogVersion` or `.file`; the log is left
  ///   as it is.
  func load(now: Int64) throws(StoryServerError) -> StoreState {
    var state = StoreState()
    var version = LogEntry.currentVersion
    let size = try file.size
    let end = try LogReader(file: file).forEach { (line) throws(StoryServerError) in
      if case .log(let written) = line.entry {
        version = written
        guard version <= LogEntry.currentVersion else {
          throw .unsupportedLogVersion(path: file.path, version: version)
        }
      } else if line.number == 1 {
        throw .damagedLog(path: file.path, line: 1, reason: "it does not name the log's version")
      }
      guard state.apply(line.entry, data: line.data, isLoading: true) else {
        throw .damagedLog(
          path: file.path, line: line.number, reason: "it names an account that is not there")
      }
    }
    if end < size { try file.truncate(to: end) }
    state.end = end
    // An older program must know at once that it cannot read what follows.
    if end == 0 || version < LogEntry.currentVersion {
      let line = LogLine(.log(version: LogEntry.currentVersion))
      try file.write(line.bytes, at: end)
      state.end = end + line.bytes.count
    }
    state.finishLoading(now: now)
    return state
  }
}
