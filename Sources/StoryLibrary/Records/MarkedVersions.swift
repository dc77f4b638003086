/// The versions of a text that git's conflict markers separate.
///
/// ```
/// {
/// <<<<<<< HEAD
///   "age": 8
/// ||||||| 4f1d2c0
///   "age": 7
/// =======
///   "age": 9
/// >>>>>>> winter
/// }
/// ```
/// A marker is at the start of a line and has seven signs or more, all markers of a conflict the
/// same number. The section for the common ancestor is optional and belongs to neither side.
public struct MarkedVersions: Sendable, Hashable {
  /// One version of the text.
  public struct Version: Sendable, Hashable {
    /// Git's name for it, such as a branch; empty if the markers have none.
    public internal(set) var label = ""
    /// The text.
    public internal(set) var bytes: [UInt8] = []
    /// The number of each of its lines in the marked text, from 1.
    var lines: [Int] = []

    /// Returns the line in the marked text for one of this version.
    public func markedLine(_ line: Int) -> Int {
      lines.indices.contains(line - 1) ? lines[line - 1] : lines.last ?? line
    }
  }

  /// The version above `=======`: git's “ours”.
  public private(set) var ours = Version()
  /// The version below `=======`: git's “theirs”.
  public private(set) var theirs = Version()
  /// The common ancestor, if the markers show it in each conflict.
  public private(set) var base: Version?
  /// The line of the first marker, from 1.
  public private(set) var line = 0

  private enum Part { case both, ours, base, theirs }

  /// Parses a text; fails if it has no markers, or not all of a conflict in order.
  public init?(_ bytes: [UInt8]) {
    var part = Part.both
    var ancestor = Version()
    var size = 0
    var (conflicts, ancestors) = (0, 0)
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let text = index + 1 < lines.count ? line + [0x0A] : line
      let marker = Self.marker(line)
      switch (part, marker?.sign) {
      case (.both, UInt8(ascii: "<")):
        part = .ours
        size = marker?.size ?? 0
        conflicts += 1
        if self.line == 0 { self.line = index + 1 }
        if conflicts == 1 { ours.label = marker?.label ?? "" }
      case (.ours, UInt8(ascii: "|")) where marker?.size == size:
        part = .base
        ancestors += 1
        if ancestors == 1 { ancestor.label = marker?.label ?? "" }
      case (.ours, UInt8(ascii: "=")) where marker?.size == size,
        (.base, UInt8(ascii: "=")) where marker?.size == size:
        part = .theirs
      case (.theirs, UInt8(ascii: ">")) where marker?.size == size:
        part = .both
        if conflicts == 1 { theirs.label = marker?.label ?? "" }
      case (.ours, .some), (.theirs, .some): return nil
      default:
        if part == .both || part == .ours { ours.add(text, index + 1) }
        if part == .both || part == .theirs { theirs.add(text, index + 1) }
        if part == .both || part == .base { ancestor.add(text, index + 1) }
      }
    }
    guard conflicts > 0, part == .both else { return nil }
    if ancestors == conflicts { base = ancestor }
  }

  /// Returns the parts of a line that is a marker, or `nil` for any other line.
  package static func marker(
    _ line: ArraySlice<UInt8>
  ) -> (sign: UInt8, size: Int, label: String)? {
    guard let sign = line.first, "<|=>".utf8.contains(sign) else { return nil }
    let line = line.last == 0x0D ? line.dropLast() : line
    let rest = line.drop { $0 == sign }
    let size = line.count - rest.count
    guard size >= 7, rest.isEmpty || rest.first == 0x20 else { return nil }
    return (sign, size, String(decoding: rest.dropFirst(), as: UTF8.self))
  }
}

extension MarkedVersions.Version {
  fileprivate mutating func add(_ text: ArraySlice<UInt8>, _ line: Int) {
    bytes += text
    lines.append(line)
  }
}
