import StoryLibrary

/// Text with two versions between git's conflict markers (in the formats of `git merge-file` and
/// `git merge-file --diff3`).
package struct MarkedText: Sendable {
  /// The names of the three versions after the markers.
  package var names = (local: "local", base: "base", server: "server")
  /// The default length of git's markers.
  package static let usualSize = 7

  /// The length of a marker.
  package var size: Int
  /// Whether the base is shown between the two versions.
  package var showsBase = true
  /// The text between a marker and its line feed: a carriage return, or nothing.
  private var lineTail = ""

  /// Creates markers longer than anything in `lines` that looks like one.
  package init(around lines: some Sequence<String>) {
    var size = Self.usualSize
    for line in lines {
      guard let first = line.utf8.first, "<|=>".utf8.contains(first) else { continue }
      size = max(size, line.utf8.prefix { $0 == first }.count + 1)
    }
    self.size = size
  }

  /// Creates markers of a given length.
  package init(size: Int) { self.size = size }

  /// Returns the merged lines, with all three versions of each conflict.
  package func lines(_ regions: [LineMerge.Region]) -> [String] {
    regions.flatMap { $0.merged ?? block(base: $0.base, local: $0.local, remote: $0.remote) }
  }

  /// Returns a file's text with markers around exactly the lines that differ between two similar
  /// versions.
  ///
  /// Removing the markers and one side of each conflict gives the other side byte for byte, except
  /// that a final line feed is added if missing.
  /// - Parameter base: The common ancestor, which appears only if the markers show it.
  func file(base: [UInt8], ours: [UInt8], theirs: [UInt8]) -> [UInt8] {
    let (base, ours, theirs) = (Self.lines(base), Self.lines(ours), Self.lines(theirs))
    var marks = self
    if ours.first?.utf8.last == UInt8(ascii: "\r") { marks.lineTail = "\r" }
    // Where both sides agree, the ancestor does not matter, so ours serves as the base.
    let regions = LineMerge.regions(
      base: ours, local: theirs, remote: showsBase ? base : ours, isProse: false)
    let lines = regions.flatMap { region in
      region.kind == .kept || region.kind == .changedRemotely
        ? region.base
        : marks.block(base: region.remote, local: region.base, remote: region.local)
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// Returns the lines, without an empty one after the last line feed.
  private static func lines(_ bytes: [UInt8]) -> [String] {
    let lines = RecordFile.lines(of: String(decoding: bytes, as: UTF8.self))
    return lines.last?.isEmpty == true ? lines.dropLast() : lines
  }

  /// Returns the lines of one conflict.
  package func block(base: [String], local: [String], remote: [String]) -> [String] {
    let before = showsBase ? [marker("|", names.base)] + base : []
    return [marker("<", names.local)] + local + before + [marker("=", nil)] + remote
      + [marker(">", names.server)]
  }

  private func marker(_ character: Character, _ name: String?) -> String {
    let name = name.map { $0.isEmpty ? "" : " " + $0 } ?? ""
    return String(repeating: character, count: size) + name + lineTail
  }

  /// Returns whether a line is a marker, with or without a name.
  package func isMarker(_ line: String) -> Bool {
    MarkedVersions.marker(Array(line.utf8)[...])?.size == size
  }
}
