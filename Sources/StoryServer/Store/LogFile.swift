import StoryLibrary

/// The store's log: an ``AppendLog`` whose lines are entries.
struct LogFile: Sendable {
  private let log: AppendLog

  /// Opens a log, creating an empty one if it does not exist.
  ///
  /// - Throws: `StoryServerError.file` where it cannot be opened; a symbolic link is refused.
  init(_ path: ConfinedPath, isEmptied: Bool = false) throws(StoryServerError) {
    log = try StoryServerError.mapping("open the log") { () throws(FileError) in
      try AppendLog(path, isEmptied: isEmptied)
    }
  }

  /// Makes a log without a name, which is gone with the process.
  init(anonymousIn folder: String) throws(StoryServerError) {
    log = try StoryServerError.mapping("make a temporary file") { () throws(FileError) in
      try AppendLog(anonymousIn: folder)
    }
  }

  var path: String { log.path }

  /// The length in bytes.
  var end: Int { log.end }

  /// Adds bytes, all or none.
  ///
  /// - Returns: where they start.
  /// - Throws: `StoryServerError.file`, for instance on a full disk.
  @discardableResult
  func append(_ bytes: [UInt8]) throws(StoryServerError) -> Int {
    try StoryServerError.mapping("write the log") { () throws(FileError) in try log.append(bytes) }
  }

  /// The bytes of a range that was written before.
  func read(_ range: LogRange) throws(StoryServerError) -> [UInt8] {
    try StoryServerError.mapping("read the log") { () throws(FileError) in
      try log.read(range.offset..<range.offset + range.length)
    }
  }

  /// Makes what was written survive a loss of power.
  func flush() throws(StoryServerError) {
    try StoryServerError.mapping("flush the log") { () throws(FileError) in try log.flush() }
  }

  /// A line as it stands in the file.
  struct Line {
    var entry: LogEntry
    /// Where the entry's `data` stands in the file.
    var data: LogRange
    /// The line without its line end; valid while it is being visited.
    var bytes: UnsafeRawBufferPointer
    /// The line's number, from 1.
    var number: Int
  }

  /// Visits every whole line.
  ///
  /// - Returns: where the last whole line ends.
  /// - Throws: `StoryServerError.damagedLog` for a line that is not what was written, `.file` where
  ///   the log cannot be read, and what `visit` throws.
  @discardableResult
  func forEachLine(
    _ visit: (Line) throws(StoryServerError) -> Void
  ) throws(StoryServerError) -> Int {
    var reader = LineReader(log)
    while let line = try Self.next(&reader) {
      let entry: LogEntry
      let data: Range<Int>
      do throws(LogEntry.Damage) {
        (entry, data) = try LogEntry.read(line.bytes)
      } catch {
        throw .damagedLog(path: path, line: line.number, reason: error.reason)
      }
      let range = LogRange(offset: line.offset + data.lowerBound, length: data.count)
      try visit(Line(entry: entry, data: range, bytes: line.bytes, number: line.number))
    }
    return reader.end
  }

  private static func next(
    _ reader: inout LineReader
  ) throws(StoryServerError) -> LineReader.Line? {
    try StoryServerError.mapping("read the log") { () throws(FileError) in try reader.next() }
  }

  /// Cuts off what follows the last whole line.
  func cut(to end: Int) throws(StoryServerError) {
    guard end < log.end else { return }
    try StoryServerError.mapping("cut off the log") { () throws(FileError) in
      try log.truncate(to: end)
    }
  }
}

/// Some bytes of the log.
struct LogRange: Hashable, Sendable {
  var offset: Int
  var length: Int
}
