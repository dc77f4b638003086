import StoryLibrary
import TestSupport
import Testing

@Suite struct AppendLogTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/log" }

  init() throws { folder = try TemporaryFolder() }

  private func lines(_ log: AppendLog) throws -> (lines: [String], offsets: [Int], end: Int) {
    var reader = LineReader(log)
    var (lines, offsets): ([String], [Int]) = ([], [])
    while let line = try reader.next() {
      lines.append(String(decoding: line.bytes, as: UTF8.self))
      offsets.append(line.offset)
      #expect(line.number == lines.count)
    }
    return (lines, offsets, reader.end)
  }

  @Test func `lines come back, however long, and stay where they are`() throws {
    let texts = ["one", "", String(repeating: "é", count: 2 << 20), "four"]
    let log = try AppendLog(path)
    var starts: [Int] = []
    for text in texts { starts.append(try log.append(Array((text + "\n").utf8))) }
    try log.flush()
    let again = try AppendLog(path)
    #expect(again.end == log.end)
    let read = try lines(again)
    #expect(read.lines == texts)
    #expect(read.offsets == starts)
    #expect(read.end == log.end)
    #expect(try again.read(0..<3) == Array("one".utf8))
    #expect(throws: FileError.self) { try again.read(0..<again.end + 1) }
  }

  @Test func `a torn last line is no line, and does not spoil the next`() throws {
    try AtomicFile.write(Array("one\ntwo\nthr".utf8), to: path)
    let log = try AppendLog(path)
    let read = try lines(log)
    #expect(read.lines == ["one", "two"])
    #expect(read.end == 8)
    try log.truncate(to: read.end)
    #expect(try log.append(Array("three\n".utf8)) == 8)
    #expect(try lines(log).lines == ["one", "two", "three"])
  }

  @Test func `a log can be emptied, or have no name`() throws {
    try AppendLog(path).append(Array("one\n".utf8))
    #expect(try AppendLog(path, isEmptied: true).end == 0)
    let anonymous = try AppendLog(anonymousIn: folder.path)
    try anonymous.append(Array("one\n".utf8))
    #expect(try lines(anonymous).lines == ["one"])
    #expect(try folder.files() == ["log"])
  }

  @Test func `what is written to a removed file is not stored`() throws {
    let log = try AppendLog(path)
    try log.append(Array("one\n".utf8))
    try FileSystem.remove(path)
    #expect(throws: FileError(.flush, path: path, code: 2)) { try log.flush() }
  }

  @Test func `only a file is a log`() throws {
    try FileSystem.makeFolder(folder.path + "/folder")
    #expect(throws: FileError.self) { try AppendLog(folder.path + "/folder") }
    try folder.link("link", to: "log")
    #expect(throws: FileError.self) { try AppendLog(folder.path + "/link") }
  }
}
