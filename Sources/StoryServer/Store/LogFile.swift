import StoryLibrary

/// The store's log: an ``AppendLog`` whose lines are entries.
struct LogFile: Sendable {
  private let log: AppendLog

  /// Opens a log, creating an empty one if it does not exist.
  ///
  /// - Throws: `StoryServerError.file` if the log cannot be opened or is a symbolic link.
  init(_ path: ConfinedPath, isEmptied: Bool = false) throws(StoryServerError) {
    log = try StoryServerError.mapping(
      "open the log", try AppendLog(path, isEmptied: isEmptied))
  }

  /// Creates a log in a file without a name, which disappears with the process.
  init(anonymousIn folder: String) throws(StoryServerError) {
    log = try StoryServerError.mapping(
      "make a temporary file", try AppendLog(anonymousIn: folder))
  }

  var path: String { log.path }

  var end: Int { log.end }

  /// Appends all of the bytes or none.
  ///
  /// - Returns: The offset at which they start.
  /// - Throws: `StoryServerError.file`, for example if the disk is full.
  @discardableResult
  func append(_ bytes: [UInt8]) throws(StoryServerError) -> Int {
    try StoryServerError.mapping("write the log", try log.append(bytes))
  }

  func read(_ range: Range<Int>) throws(StoryServerError) -> [UInt8] {
    try StoryServerError.mapping("read the log", try log.read(range))
  }

  /// Flushes the log, so that what was written survives a power failure.
  func flush() throws(StoryServerError) {
    try StoryServerError.mapping("flush the log", try log.flush())
  }

  struct Line {
    var entry: LogEntry
    /// The range of the entry's `data` in the file.
    var data: Range<Int>
    /// The line without its line end. Only valid during the visit.
    var bytes: UnsafeRawBufferPointer
    /// The line's number, from 1.
    var number: Int
  }

  /// Visits every complete line.
  ///
  /// - Returns: The end of the last complete line.
  /// - Throws: `StoryServerError.damagedLog` if a line is damaged, `.file` if the log cannot be
  ///   read, or any error thrown by `visit`.
  @discardableResult
  func forEachLine(
    _ visit: (Line) throws(StoryServerError) -> Void
  ) throws(StoryServerError) -> Int {
    var reader = LineReader(log)
    while let line = try StoryServerError.mapping("read the log", try reader.next()) {
      let entry: LogEntry
      let data: Range<Int>
      do throws(LogEntry.Damage) {
        (entry, data) = try LogEntry.read(line.bytes)
      } catch {
        throw .damagedLog(path: path, line: line.number, reason: error.reason)
      }
      let range = data.lowerBound + line.offset..<data.upperBound + line.offset
      try visit(Line(entry: entry, data: range, bytes: line.bytes, number: line.number))
    }
    return reader.end
  }

  /// Cuts off everything after the last complete line, which ends at `end`.
  func cut(to end: Int) throws(StoryServerError) {
    guard end < log.end else { return }
    try StoryServerError.mapping("cut off the log", try log.truncate(to: end))
  }
}
