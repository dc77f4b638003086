/// Text in which two versions stand between git's conflict markers (the forms of `git merge-file` and
/// `git merge-file --diff3`).
package struct MarkedText: Sendable {
  /// The names of the three versions, behind the markers.
  package var names = (local: "your version", base: "before", server: "server version")
  /// How many characters git's markers have where nothing else is said.
  package static let usualSize = 7

  /// How many characters a marker has.
  package var size: Int
  /// Whether what both sides started from stands between them.
  package var showsBase = true
  /// What stands at the end of a marker's line, in front of the line feed: a carriage return, or nothing.
  package var lineTail = ""

  /// Markers that none of the lines could be taken for.
  package init(around lines: some Sequence<String>) {
    var size = Self.usualSize
    for line in lines {
      guard let first = line.utf8.first, "<|=>".utf8.contains(first) else { continue }
      size = max(size, line.utf8.prefix { $0 == first }.count + 1)
    }
    self.size = size
  }

  /// Markers of a given size.
  package init(size: Int) { self.size = size }

  /// The merge of three texts: merged lines where they come together, all three elsewhere.
  package func lines(_ regions: [LineMerge.Region]) -> [String] {
    regions.flatMap { $0.merged ?? block(base: $0.base, local: $0.local, remote: $0.remote) }
  }

  /// One place where two versions clash.
  package func block(base: [String], local: [String], remote: [String]) -> [String] {
    let before = showsBase ? [marker("|", names.base)] + base : []
    return [marker("<", names.local)] + local + before + [marker("=", nil)] + remote
      + [marker(">", names.server)]
  }

  private func marker(_ character: Character, _ name: String?) -> String {
    let name = name.map { $0.isEmpty ? "" : " " + $0 } ?? ""
    return String(repeating: character, count: size) + name + lineTail
  }

  /// Whether a line is one of the markers, with whatever name behind it.
  package func isMarker(_ line: String) -> Bool {
    guard let first = line.utf8.first, "<|=>".utf8.contains(first) else { return false }
    let rest = line.utf8.drop { $0 == first }
    return line.utf8.count - rest.count == size
      && (rest.isEmpty || rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: "\r"))
  }
}
