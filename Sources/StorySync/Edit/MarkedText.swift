import StoryLibrary

/// Text in which two versions stand between git's conflict markers, with what both started from
/// (the form of `git merge-file --diff3`).
struct MarkedText {
  /// The names of the three versions, behind the markers.
  static let names = (local: "your version", base: "before", server: "server version")
  /// How many characters git's markers have.
  static let usualSize = 7

  /// How many characters a marker has.
  let size: Int

  /// Markers that none of the lines could be taken for.
  init(around lines: some Sequence<String>) {
    var size = Self.usualSize
    for line in lines {
      guard let first = line.utf8.first, "<|=>".utf8.contains(first) else { continue }
      size = max(size, line.utf8.prefix { $0 == first }.count + 1)
    }
    self.size = size
  }

  init(size: Int) { self.size = size }

  /// The merge of three texts: merged lines where they come together, all three elsewhere.
  func lines(_ regions: [LineMerge.Region]) -> [String] {
    regions.flatMap { $0.merged ?? block(base: $0.base, local: $0.local, remote: $0.remote) }
  }

  /// One place where two versions clash.
  func block(base: [String], local: [String], remote: [String]) -> [String] {
    [marker("<", Self.names.local)] + local + [marker("|", Self.names.base)] + base
      + [marker("=", nil)] + remote + [marker(">", Self.names.server)]
  }

  private func marker(_ character: Character, _ name: String?) -> String {
    String(repeating: character, count: size) + (name.map { " " + $0 } ?? "")
  }

  /// Whether a line is one of the markers, with whatever name behind it.
  func isMarker(_ line: String) -> Bool {
    guard let first = line.utf8.first, "<|=>".utf8.contains(first) else { return false }
    let rest = line.utf8.drop { $0 == first }
    return line.utf8.count - rest.count == size
      && (rest.isEmpty || rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: "\r"))
  }
}
