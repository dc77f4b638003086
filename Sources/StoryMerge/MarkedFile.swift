import StoryLibrary

/// Combines two similar versions of a file into one text with git's conflict markers.
struct MarkedFile {
  let marks: MarkedText

  /// Returns a text with markers around exactly the lines that differ.
  ///
  /// Removing the markers and one side of each conflict gives the other side byte for byte, except
  /// that a final line feed is added if missing.
  /// - Parameter base: The common ancestor, which appears only if the markers show it.
  func text(base: [UInt8], ours: [UInt8], theirs: [UInt8]) -> [UInt8] {
    let (base, ours, theirs) = (Self.lines(base), Self.lines(ours), Self.lines(theirs))
    var marks = marks
    if ours.first?.utf8.last == UInt8(ascii: "\r") { marks.lineTail = "\r" }
    // Where both sides agree, the ancestor does not matter, so ours serves as the base.
    let regions = LineMerge.regions(
      base: ours, local: theirs, remote: marks.showsBase ? base : ours)
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
}
