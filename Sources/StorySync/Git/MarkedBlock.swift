/// Our lines in another file, between two marker lines. Removing them restores every byte.
struct MarkedBlock: Sendable {
  /// The change that adding the lines made to the file; the marker records it for undoing.
  private enum Change: String, CaseIterable {
    case none = ""
    case madeFile = " (made this file)"
    case endedLine = " (ended the line before)"
  }

  /// The name that distinguishes this block from others in the same file.
  let name: String
  /// The text before the block in a file created for it.
  var prelude = ""
  /// Whether the block goes to the top, after a `#!` line, instead of to the end.
  var isAtTop = false

  private func start(_ change: Change) -> String { "# >>> \(name)\(change.rawValue) >>>\n" }
  private var end: String { "# <<< \(name) <<<\n" }

  func isIn(_ text: [UInt8]) -> Bool { place(in: text) != nil }

  /// Returns the file with these lines as the block's, replacing an existing block.
  ///
  /// - Parameter text: the file, or `nil`.
  func adding(_ lines: [String], to text: [UInt8]?) -> [UInt8] {
    let body = lines.map { $0 + "\n" }.joined()
    guard let text else {
      return Array((prelude + start(.madeFile) + body + end).utf8)
    }
    if let (range, change) = place(in: text) {
      return text[..<range.lowerBound] + Array((start(change) + body + end).utf8)
        + text[range.upperBound...]
    }
    var split = text.endIndex
    if isAtTop {
      split = text.startIndex
      if text.starts(with: "#!".utf8) {
        split = text.firstIndex(of: 0x0A).map { $0 + 1 } ?? text.endIndex
      }
    }
    let (head, tail) = (text[..<split], text[split...])
    let endsLine = head.last.map { $0 != 0x0A } ?? false
    let block = (endsLine ? "\n" : "") + start(endsLine ? .endedLine : .none) + body + end
    return head + Array(block.utf8) + tail
  }

  /// Returns the file without the block, or `nil` if nothing is left of a file that was created for
  /// it. If another of our blocks stays in such a file, its marker takes over the note.
  func removing(from text: [UInt8]) -> [UInt8]? {
    guard let (range, change) = place(in: text) else { return text }
    var head = text[..<range.lowerBound]
    if change == .endedLine, head.last == 0x0A { head.removeLast() }
    let rest = Array(head + text[range.upperBound...])
    guard change == .madeFile else { return rest }
    return rest == Array(prelude.utf8) ? nil : handedOver(rest)
  }

  /// Returns the file with the note that it was created for us moved to its first remaining block.
  private func handedOver(_ text: [UInt8]) -> [UInt8] {
    let kind = name.prefix { $0 != ":" }
    let (opening, closing) = (Array("# >>> \(kind)".utf8), Array(" >>>".utf8))
    let marker = text.split(separator: 0x0A).first { line in
      line.starts(with: opening) && line.suffix(closing.count).elementsEqual(closing)
    }
    guard let split = marker.map({ $0.endIndex - closing.count }) else { return text }
    return text[..<split] + Array(Change.madeFile.rawValue.utf8) + text[split...]
  }

  private func place(in text: [UInt8]) -> (range: Range<Int>, change: Change)? {
    for change in Change.allCases {
      guard let first = Self.line(start(change), in: text, from: 0),
        let last = Self.line(end, in: text, from: first.upperBound)
      else { continue }
      return (first.lowerBound..<last.upperBound, change)
    }
    return nil
  }

  /// Returns the range of a line with its line feed, which the last line may lack.
  private static func line(_ line: String, in text: [UInt8], from start: Int) -> Range<Int>? {
    let found = text[start...].split(separator: 0x0A).first {
      $0.elementsEqual(line.utf8.dropLast())
    }
    return found.map { $0.startIndex..<min($0.endIndex + 1, text.count) }
  }
}
