#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads a log line by line, holding one megabyte of it or one line, whatever is more.
struct LogReader {
  /// A line as it stands in the file.
  struct Line {
    var entry: LogEntry
    /// Where the entry's `data` stands in the file.
    var data: LogRange
    /// The line's own bytes, its line end included; valid while it is being visited.
    var bytes: UnsafeRawBufferPointer
    /// The line's number, from 1.
    var number: Int
  }

  let file: LogFile

  /// The longest line that is read, in bytes: more than any record or answer has.
  private static let longestLine = 128 << 20

  /// Visits every whole line.
  ///
  /// - Returns: where the last whole line ends. What follows has no line end: it was being written
  ///   when the process or the machine stopped, and nobody was told that it was stored.
  /// - Throws: `StoryServerError.damagedLog` for a line that is not what was written, `.file` where
  ///   the log cannot be read, and what `visit` throws.
  func forEach(
    _ visit: (Line) throws(StoryServerError) -> Void
  ) throws(StoryServerError) -> Int {
    var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var filled = 0
    /// Where the buffer's first byte stands in the file.
    var base = 0
    var number = 0
    while true {
      let free = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = try file.read(into: free, at: base + filled)
      filled += count
      var start = 0
      while let end = Self.lineEnd(in: buffer, from: start, to: filled) {
        number += 1
        let line = UnsafeRawBufferPointer(rebasing: buffer[start...end])
        try visit(try parse(line, number: number, at: base + start))
        start = end + 1
      }
      if count == 0 { return base + start }
      // The beginning of a line is carried over to the front.
      let rest = filled - start
      if start > 0 {
        memmove(buffer.baseAddress!, buffer.baseAddress! + start, rest)
      } else if filled == buffer.count {
        guard filled < Self.longestLine else {
          throw .damagedLog(path: file.path, line: number + 1, reason: "it is too long")
        }
        let larger = UnsafeMutableRawBufferPointer.allocate(
          byteCount: buffer.count * 2, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
        buffer.deallocate()
        buffer = larger
      }
      base += start
      filled = rest
    }
  }

  private static func lineEnd(
    in buffer: UnsafeMutableRawBufferPointer, from start: Int, to end: Int
  ) -> Int? {
    guard start < end,
      let found = memchr(buffer.baseAddress! + start, Int32(UInt8(ascii: "\n")), end - start)
    else { return nil }
    return UnsafeRawPointer(buffer.baseAddress!).distance(to: UnsafeRawPointer(found))
  }

  private func parse(
    _ line: UnsafeRawBufferPointer, number: Int, at offset: Int
  ) throws(StoryServerError) -> Line {
    do throws(LogEntry.Damage) {
      let (entry, data) = try LogEntry.read(
        UnsafeRawBufferPointer(rebasing: line[..<(line.count - 1)]))
      return Line(
        entry: entry, data: LogRange(offset: offset + data.lowerBound, length: data.count),
        bytes: line, number: number)
    } catch {
      throw .damagedLog(path: file.path, line: number, reason: error.reason)
    }
  }
}
