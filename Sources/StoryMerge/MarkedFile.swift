import StoryLibrary

/// Two versions of a file that are alike but for what clashes, as one text with git's markers.
struct MarkedFile {
  let marks: MarkedText

  /// Puts markers around the lines in which two texts differ, and around no others.
  ///
  /// Without the markers, and with one side of each place, the text is that side byte for byte; only a
  /// last line that ends without a line feed gets one.
  /// - Parameter base: what both started from; shown where the markers show it.
  func text(base: [UInt8], ours: [UInt8], theirs: [UInt8]) -> [UInt8] {
    let (base, ours, theirs) = (Self.lines(base), Self.lines(ours), Self.lines(theirs))
    var marks = marks
    if ours.first?.utf8.last == UInt8(ascii: "\r") { marks.lineTail = "\r" }
    // Where ours and theirs are alike, what they started from is of no interest: so ours is the base.
    let regions = LineMerge.regions(
      base: ours, local: theirs, remote: marks.showsBase ? base : ours)
    let lines = regions.flatMap { region in
      region.kind == .kept || region.kind == .changedThere
        ? region.base
        : marks.block(base: region.remote, local: region.base, remote: region.local)
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// The lines without what is behind the last line feed, if that is nothing.
  private static func lines(_ bytes: [UInt8]) -> [String] {
    let lines = RecordFile.lines(of: String(decoding: bytes, as: UTF8.self))
    return lines.last?.isEmpty == true ? lines.dropLast() : lines
  }
}
